// Options are declared once: unit, default, range, and what too low and too high do. The types users see, the checks,
// the errors and the reference page (docs/reference/options.md) all come from that one declaration.

import { SpillwayError } from './errors.ts'
import { Problems } from './problems.ts'

/** One option. `T` is its value; `D` is `T` when there is a default and `undefined` when there is none. */
export interface Field<T, D = T | undefined> {
  /** What the value is, completing "must be …". */
  readonly right: string
  readonly unit: string
  readonly default: D
  /** One sentence. */
  readonly about: string
  /** What a value that is too low, and one that is too high, does. */
  readonly tooLow?: string
  readonly tooHigh?: string
  /** Must be given: there is no default. */
  readonly required?: boolean
  accepts(value: unknown): value is T
}

export type Fields = Record<string, Field<unknown, unknown>>

/** What a user may give: every field optional. */
export type Given<F extends Fields> = {
  readonly [K in keyof F]?: F[K] extends Field<infer T, unknown> ? T | undefined : never
}

/** What the code works with: defaults filled in. */
export type Resolved<F extends Fields> = {
  readonly [K in keyof F]: F[K] extends Field<infer T, infer D> ? (undefined extends D ? T | undefined : T) : never
}

/** Prose of a field; `D` says whether there is a default. */
interface Prose<D> {
  readonly unit?: string
  readonly default: D
  readonly about: string
  readonly tooLow?: string
  readonly tooHigh?: string
  readonly required?: boolean
}

/** A number between two bounds, both included. */
export function number<D extends number | undefined>(min: number, max: number, prose: Prose<D>): Field<number, D> {
  const right = `a number from ${min} to ${max}`
  const accepts = (value: unknown): value is number => typeof value === 'number' && value >= min && value <= max
  return { unit: '', ...prose, right, accepts }
}

/** A whole number between two bounds, both included. */
export function integer<D extends number | undefined>(min: number, max: number, prose: Prose<D>): Field<number, D> {
  const right = `a whole number from ${min} to ${max}`
  const inRange = (value: unknown): value is number =>
    Number.isInteger(value) && (value as number) >= min && (value as number) <= max
  return { unit: '', ...prose, right, accepts: inRange }
}

/** One of a closed list of words. */
export function choice<T extends string, D extends T | undefined>(words: readonly T[], prose: Prose<D>): Field<T, D> {
  const right = `one of ${words.map((word) => `"${word}"`).join(', ')}`
  return { unit: '', ...prose, right, accepts: (value): value is T => words.includes(value as T) }
}

/** A function of the user's. */
export function callback<T extends (...args: never[]) => unknown>(prose: Prose<undefined>): Field<T, undefined> {
  return { unit: '', ...prose, right: 'a function', accepts: (value): value is T => typeof value === 'function' }
}

/** An object that has these methods: a part, or something of the user's. */
export function part<T extends object>(methods: readonly string[], prose: Prose<undefined>): Field<T, undefined> {
  const right = `an object with ${methods.map((method) => `${method}()`).join(', ')}`
  return { unit: '', ...prose, right, accepts: (value): value is T => hasMethods(value, methods) }
}

/** Anything, by a check of its own. `right` completes "must be …". */
export function custom<T, D extends T | undefined>(
  right: string,
  accepts: (value: unknown) => value is T,
  prose: Prose<D>,
): Field<T, D> {
  return { unit: '', ...prose, right, accepts }
}

export function hasMethods(value: unknown, methods: readonly string[]): boolean {
  return (
    typeof value === 'object' &&
    value !== null &&
    methods.every((method) => typeof (value as Record<string, unknown>)[method] === 'function')
  )
}

/**
 * Fills in defaults and checks everything. Throws SPILLWAY_OPTIONS_INVALID with all problems: unknown names (and the
 * name that was probably meant), values out of range, and whatever `across` has to say of fields together.
 */
export function resolveOptions<F extends Fields>(
  owner: string,
  fields: F,
  given: Given<F> | undefined,
  across?: (resolved: Resolved<F>, problems: Problems) => void,
): Resolved<F> {
  const problems = new Problems()
  const resolved: Record<string, unknown> = {}
  const values = (given ?? {}) as Record<string, unknown>
  if (typeof values !== 'object') problems.add('options', 'an object', given)
  for (const [name, field] of Object.entries(fields)) {
    const value = values[name]
    if (value === undefined) {
      resolved[name] = field.default
      if (field.required) problems.add(name, field.right, value)
    } else if (field.accepts(value)) resolved[name] = value
    else problems.add(name, field.right, value)
  }
  for (const name of Object.keys(values)) {
    if (!Object.hasOwn(fields, name)) problems.say(unknownOption(name, Object.keys(fields)))
  }
  if (!problems.any) across?.(resolved as Resolved<F>, problems)
  if (problems.any) throw new SpillwayError('SPILLWAY_OPTIONS_INVALID', `${owner}: ${problems}`)
  return resolved as Resolved<F>
}

function unknownOption(name: string, known: readonly string[]): string {
  const close = known.find((candidate) => isClose(name.toLowerCase(), candidate.toLowerCase()))
  return close === undefined
    ? `there is no option ${name}; there are ${known.join(', ')}`
    : `there is no option ${name}; did you mean ${close}?`
}

// Near enough to have been meant: one contains the other, or they differ in at most two places.
function isClose(a: string, b: string): boolean {
  if (a.includes(b) || b.includes(a)) return true
  let previous = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let row = 1; row <= a.length; row++) {
    const current = [row]
    for (let column = 1; column <= b.length; column++) {
      const swap = (previous[column - 1] as number) + (a[row - 1] === b[column - 1] ? 0 : 1)
      current[column] = Math.min((previous[column] as number) + 1, (current[column - 1] as number) + 1, swap)
    }
    previous = current
  }
  return (previous[b.length] as number) <= 2
}
