// What the demo's commands share: how they print, how they fail, and how they leave nothing behind.

import { constants } from 'node:os'
import type { Writable } from 'node:stream'
import type { Processes } from './processes.ts'

/** Exit status for input that cannot be used. */
export const badInput = 2

/** Exit status when something broke that is neither the input nor the service under test. */
const broken = 1

const stopSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Exit status of a command that a signal cut short, as shells have it. */
export function cutShort(signal: (typeof stopSignals)[number]): number {
  return 128 + constants.signals[signal]
}

/** Runs the body and stops every process it started: when it ends, when it fails, and when a signal ends it early. */
export async function interruptible(
  processes: Processes,
  body: () => Promise<number>,
  statusAfter: typeof cutShort = cutShort,
): Promise<number> {
  let interrupted = false
  for (const signal of stopSignals) {
    process.on(signal, async () => {
      const status = statusAfter(signal)
      // Whoever asks a second time does not want to wait. Children go when their channel closes.
      if (interrupted) process.exit(status)
      interrupted = true
      process.stderr.write('\nStopping.\n')
      await processes.stopAll()
      process.exit(status)
    })
  }
  try {
    return await Promise.race([body(), processes.lost])
  } catch (error) {
    // The signal's own exit follows; what broke on the way there is its doing.
    if (interrupted) await new Promise(() => {})
    await print(process.stderr, `${error instanceof Error ? error.message : String(error)}\n`)
    return broken
  } finally {
    if (!interrupted) await processes.stopAll()
  }
}

export async function printProblems(problems: readonly string[]): Promise<number> {
  await print(process.stderr, `${problems.join('\n')}\n`)
  return badInput
}

/** Resolves when the text is out, so that leaving right after cannot cut it short. */
export function print(stream: Writable, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.write(text, (error) => (error ? reject(error) : resolve()))
  })
}
