// Checks of single fields, in the words of the library's errors.

import type { Problems } from '../core/problems.ts'

/** Where problems go, and the name of the object whose fields are looked at. */
export interface Field {
  readonly problems: Problems
  readonly name: string
}

export interface NumberBounds {
  readonly min?: number
  readonly above?: number
  readonly max?: number
  readonly whole?: boolean
  readonly optional?: boolean
  /** Whether Infinity is a value: without a bound. */
  readonly endless?: boolean
}

export function add(field: Field, name: string, right: string, received: unknown): void {
  field.problems.add(field.name === '' ? name : `${field.name}.${name}`, right, received)
}

export function oneOf(words: readonly string[]): string {
  return words.length === 1 ? `${words[0]}` : `one of ${words.join(', ')}`
}

/** Complains when a field is not a finite number within its bounds. */
export function bounds<T extends object>(field: Field, object: T, name: keyof T & string, bound: NumberBounds): void {
  const value: unknown = object[name]
  if (value === undefined && bound.optional === true) return
  const { min = -Infinity, above = -Infinity, max = Infinity, whole = false } = bound
  const isNumber =
    typeof value === 'number' && (Number.isFinite(value) || (bound.endless === true && value === Infinity))
  const right = isNumber && value >= min && value > above && value <= max
  if (right && (!whole || Number.isInteger(value))) return
  const kind = whole ? 'whole' : bound.endless === true ? '' : 'finite'
  add(field, name, `a ${kind} number${said(bound)}`.replace('  ', ' '), value)
}

/** Complains when a field is none of these words. */
export function word<T extends object>(
  field: Field,
  object: T,
  name: keyof T & string,
  words: readonly string[],
  optional = true,
): void {
  const value: unknown = object[name]
  if (value === undefined && optional) return
  if (!words.includes(value as string)) add(field, name, oneOf(words), value)
}

function said({ min, above, max }: NumberBounds): string {
  if (min !== undefined && max !== undefined) return ` from ${min} to ${max}`
  if (above !== undefined && max !== undefined) return ` above ${above}, up to ${max}`
  if (min !== undefined) return ` of ${min} or more`
  return above === undefined ? '' : ` above ${above}`
}
