// Command-line flags from one table: it parses, validates and writes the help, so the three cannot disagree. All
// problems are reported at once.

import { parseArgs } from 'node:util'

export type Flag =
  | { readonly kind: 'switch'; readonly help: string }
  | { readonly kind: 'choice'; readonly of: readonly string[]; readonly default: string; readonly help: string }
  | {
      readonly kind: 'integer'
      readonly min: number
      readonly max: number
      readonly default: number
      readonly help: string
    }
  | { readonly kind: 'file'; readonly placeholder: string; readonly help: string }

export type FlagTable = Readonly<Record<string, Flag>>

type Value<F extends Flag> = F extends { kind: 'switch' }
  ? boolean
  : F extends { kind: 'choice'; of: readonly (infer Choice)[] }
    ? Choice
    : F extends { kind: 'integer' }
      ? number
      : string | undefined

export type Values<Table extends FlagTable> = { readonly [Name in keyof Table]: Value<Table[Name]> }

export type Parsed<Table extends FlagTable> =
  | { readonly values: Values<Table>; readonly problems?: undefined }
  | { readonly values?: undefined; readonly problems: readonly string[] }

export function parseFlags<const Table extends FlagTable>(table: Table, args: readonly string[]): Parsed<Table> {
  const problems: string[] = []
  const given = new Map<string, string | undefined>()
  const options = Object.fromEntries(
    Object.entries(table).map(([name, flag]) => [
      name,
      { type: flag.kind === 'switch' ? ('boolean' as const) : ('string' as const) },
    ]),
  )
  // Not strict: the strict parser stops at the first problem.
  const { tokens } = parseArgs({ args: [...args], options, strict: false, tokens: true })
  for (const token of tokens) {
    if (token.kind === 'positional') {
      problems.push(`unexpected argument ${quote(token.value)}; flags are ${listOf(table)}`)
    } else if (token.kind === 'option') {
      if (!Object.hasOwn(table, token.name)) {
        problems.push(`unknown flag ${token.rawName}; flags are ${listOf(table)}`)
      } else if (given.has(token.name)) {
        problems.push(`--${token.name} was given twice; give it once`)
      } else {
        given.set(token.name, token.value)
        if (table[token.name]!.kind === 'switch' && token.value !== undefined) {
          problems.push(`--${token.name} takes no value, got ${quote(token.value)}`)
        }
      }
    }
  }

  const values: Record<string, boolean | number | string | undefined> = {}
  for (const [name, flag] of Object.entries(table)) {
    values[name] = readValue(name, flag, given.has(name), given.get(name), problems)
  }
  return problems.length === 0 ? { values: values as Values<Table> } : { problems }
}

export function helpOf(table: FlagTable, usage: string, about: string): string {
  const rows = Object.entries(table).map(([name, flag]) => ({ left: leftOf(name, flag), help: flag.help }))
  const width = Math.max(...rows.map((row) => row.left.length))
  const lines = rows.map((row) => `  ${row.left.padEnd(width)}  ${row.help}`)
  return `${about}\n\nUsage: ${usage}\n\n${lines.join('\n')}\n`
}

function readValue(
  name: string,
  flag: Flag,
  isGiven: boolean,
  text: string | undefined,
  problems: string[],
): boolean | number | string | undefined {
  if (flag.kind === 'switch') return isGiven
  if (!isGiven) return flag.kind === 'file' ? undefined : flag.default
  const got = text === undefined || text === '' ? 'nothing' : quote(text)
  switch (flag.kind) {
    case 'choice':
      if (text !== undefined && flag.of.includes(text)) return text
      problems.push(`--${name} must be one of ${flag.of.join(', ')}, got ${got}`)
      return flag.default
    case 'integer': {
      const value = Number(text)
      // Digits only: Number() would also take '', ' 1', 0x10 and 1e3.
      if (text !== undefined && /^\d+$/.test(text) && value >= flag.min && value <= flag.max) return value
      problems.push(`--${name} must be a whole number from ${flag.min} to ${flag.max}, got ${got}`)
      return flag.default
    }
    case 'file':
      // A value that looks like a flag is the next flag: the value was forgotten.
      if (text !== undefined && text !== '' && !text.startsWith('--')) return text
      problems.push(`--${name} must be followed by a ${flag.placeholder}, got ${got}`)
      return undefined
  }
}

function leftOf(name: string, flag: Flag): string {
  switch (flag.kind) {
    case 'switch':
      return `--${name}`
    case 'choice':
      return `--${name} ${flag.of.join('|')}`
    case 'integer':
      return `--${name} n`
    case 'file':
      return `--${name} ${flag.placeholder}`
  }
}

function listOf(table: FlagTable): string {
  return Object.keys(table)
    .map((name) => `--${name}`)
    .join(', ')
}

function quote(text: string): string {
  return JSON.stringify(text)
}
