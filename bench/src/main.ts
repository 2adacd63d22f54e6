// `npm run bench`: runs the benches asked for, prints their tables or their JSON, and judges their bars.

import { constants } from 'node:os'
import type { Writable } from 'node:stream'
import { type Bench, InvalidRun, type Outcome } from './bench.ts'
import { benches } from './benches.ts'
import { type Flags, helpText, JUDGED_REPEATS_MIN, listText, parseFlags } from './flags.ts'
import { machineLine } from './machine.ts'
import { holds, outcomeText } from './table.ts'

const exit = { holds: 0, doesNotHold: 1, badInput: 2, invalid: 3 } as const

async function main(args: readonly string[]): Promise<number> {
  const { flags, problems } = parseFlags(args, benches)
  if (problems !== undefined) {
    await print(process.stderr, `${problems.join('\n')}\n`)
    return exit.badInput
  }
  if (flags.help) await print(process.stdout, helpText(benches))
  else if (flags.list) await print(process.stdout, listText(benches))
  else return runAll(flags)
  return exit.holds
}

async function runAll(flags: Flags): Promise<number> {
  const asked = flags.names.length === 0 ? benches : benches.filter((bench) => flags.names.includes(bench.name))
  const judged = !flags.quick && flags.repeats >= JUDGED_REPEATS_MIN
  const outcomes: Outcome[] = []
  if (!flags.json) await print(process.stdout, `${machineLine()}\n`)
  for (const bench of asked) {
    const outcome = await runOne(bench, flags)
    outcomes.push(outcome)
    if (!flags.json) await print(process.stdout, outcomeText(outcome, judged))
  }
  if (flags.json) {
    const plain = outcomes.map(({ name, rows, ratios }) => ({ name, rows, ratios }))
    await print(process.stdout, `${JSON.stringify(flags.names.length === 1 ? plain[0] : plain)}\n`)
  }
  return !judged || outcomes.every(({ bars }) => bars.every(holds)) ? exit.holds : exit.doesNotHold
}

async function runOne(bench: Bench, { repeats, quick }: Flags): Promise<Outcome> {
  const progress = progressLine(process.stderr, bench.name)
  try {
    return await bench.run({ repeats, quick }, progress.show)
  } finally {
    progress.clear()
  }
}

// One line that is written over, where somebody watches.
function progressLine(stream: NodeJS.WriteStream, name: string) {
  if (!stream.isTTY) return { show() {}, clear() {} }
  return {
    show: (text: string) => void stream.write(`\r\x1b[K${name}: ${text}`.slice(0, stream.columns + 4)),
    clear: () => void stream.write('\r\x1b[K'),
  }
}

// Resolves when the text is out, so that leaving right after cannot cut it short.
function print(stream: Writable, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.write(text, (error) => (error ? reject(error) : resolve()))
  })
}

// Leaving through exit, so that the children are ended on the way.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => process.exit(128 + constants.signals[signal]))
}

try {
  process.exitCode = await main(process.argv.slice(2))
} catch (error) {
  const text = error instanceof InvalidRun ? `INVALID run: ${error.message}` : String((error as Error).stack ?? error)
  await print(process.stderr, `${text}\n`)
  process.exitCode = error instanceof InvalidRun ? exit.invalid : exit.doesNotHold
}
