// The command line: flags, and the names of the benches to run. All problems are reported at once.

import { parseArgs } from 'node:util'
import type { Bench } from './bench.ts'

export interface Flags {
  readonly json: boolean
  readonly list: boolean
  readonly help: boolean
  readonly quick: boolean
  readonly repeats: number
  readonly names: readonly string[]
}

export type Parsed =
  | { readonly flags: Flags; readonly problems?: undefined }
  | { readonly flags?: undefined; readonly problems: readonly string[] }

const REPEATS_DEFAULT = 7
const REPEATS_MAX = 100
// Flag → what it does, for the help.
const about = {
  json: 'prints JSON on stdout and nothing else there: one object for one name, an array otherwise',
  list: 'prints the benches there are and ends',
  repeats: `n: measures everything n times, 1 to ${REPEATS_MAX}; default ${REPEATS_DEFAULT}, and with fewer no bar is judged`,
  quick: 'tiny batches: shows that everything runs, measures nothing, judges no bar',
  help: 'prints this and ends',
} as const
const options = {
  json: { type: 'boolean' },
  list: { type: 'boolean' },
  repeats: { type: 'string' },
  quick: { type: 'boolean' },
  help: { type: 'boolean' },
} as const

/** Bars are promised of medians of this many repeats. */
export const JUDGED_REPEATS_MIN = REPEATS_DEFAULT

export function parseFlags(args: readonly string[], benches: readonly Bench[]): Parsed {
  const problems: string[] = []
  const known = benches.map((bench) => bench.name)
  const given = new Map<string, string | undefined>()
  const names: string[] = []
  // Not strict: the strict parser stops at the first problem.
  const { tokens } = parseArgs({ args: [...args], options, strict: false, allowPositionals: true, tokens: true })
  for (const token of tokens) {
    if (token.kind === 'positional') {
      if (!known.includes(token.value)) problems.push(`unknown bench "${token.value}"; benches are ${known.join(', ')}`)
      else if (names.includes(token.value)) problems.push(`"${token.value}" was named twice; name it once`)
      else names.push(token.value)
    } else if (token.kind === 'option') {
      const flag = `--${token.name}`
      if (!Object.hasOwn(options, token.name)) problems.push(`unknown flag ${token.rawName}; flags are ${flagList()}`)
      else if (given.has(token.name)) problems.push(`${flag} was given twice; give it once`)
      else if (token.name !== 'repeats' && token.value !== undefined)
        problems.push(`${flag} takes no value, got "${token.value}"`)
      given.set(token.name, token.value)
    }
  }
  const repeats = given.has('repeats') ? parseRepeats(given.get('repeats'), problems) : REPEATS_DEFAULT
  if (problems.length > 0) return { problems }
  const isOn = (name: string): boolean => given.has(name)
  return { flags: { json: isOn('json'), list: isOn('list'), help: isOn('help'), quick: isOn('quick'), repeats, names } }
}

export function helpText(benches: readonly Bench[]): string {
  const flags = Object.entries(about).map(([name, text]) => `  --${name.padEnd(14)}  ${text}`)
  return (
    'Measures Spillway beside what people use instead. Medians and spread over interleaved repeats.\n\n' +
    `Usage: npm run bench -- [flags] [bench …]\n\n${flags.join('\n')}\n\nBenches:\n\n${listText(benches)}\n` +
    'Exit status: 0 the bars hold, 1 one does not, 2 bad input, 3 the run was invalid.\n'
  )
}

export function listText(benches: readonly Bench[]): string {
  return benches.map((bench) => `  ${bench.name.padEnd(16)}  ${bench.about}\n`).join('')
}

function parseRepeats(text: string | undefined, problems: string[]): number {
  const value = Number(text)
  // Digits only: Number() would also take '', ' 1', 0x10 and 1e3.
  if (text !== undefined && /^\d+$/.test(text) && value >= 1 && value <= REPEATS_MAX) return value
  const got = text === undefined || text === '' ? 'nothing' : `"${text}"`
  problems.push(`--repeats must be a whole number from 1 to ${REPEATS_MAX}, got ${got}`)
  return REPEATS_DEFAULT
}

function flagList(): string {
  return Object.keys(options)
    .map((name) => `--${name}`)
    .join(', ')
}
