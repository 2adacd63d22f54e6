// Reads the values that commander has split off, and collects what is wrong with them instead of stopping at the first.
// Commander itself stops there, so every flag is declared to it with an optional value and without a type.

import { type Command, Option } from 'commander'
import { BadInput, closest, quote } from './problems.ts'

export class Flags {
  readonly #command: Command
  readonly #label: string
  readonly #problems: string[] = []
  readonly words: readonly string[]

  /** `command` has been parsed; `label` is how users call it. */
  constructor(command: Command, label: string) {
    this.#command = command
    this.#label = label
    this.words = this.#wordsOf(command.args)
  }

  /** A problem of the caller's own finding. */
  say(problem: string): void {
    this.#problems.push(problem)
  }

  given(name: string): boolean {
    return this.#value(name) !== undefined
  }

  switch(name: string): boolean {
    return this.#value(name) === true
  }

  integer<D>(name: string, min: number, max: number, fallback: D): number | D {
    const text = this.#text(name)
    if (text === undefined) return fallback
    // Digits only: Number() would take '', ' 1', 0x10 and 1e3 as well.
    const value = /^\d+$/.test(text) ? Number(text) : NaN
    if (value >= min && value <= max) return value
    this.say(`--${name} must be a whole number from ${min} to ${max}, got ${gotWords(text)}`)
    return fallback
  }

  file(name: string): string | undefined {
    const text = this.#text(name)
    if (text !== '') return text
    this.say(`--${name} must be followed by a file, got nothing`)
    return undefined
  }

  /** A flag that may be repeated and may name several, with spaces or commas between them. Each name counts once. */
  names(name: string): readonly string[] {
    const value = this.#value(name)
    if (value === undefined) return []
    const names = Array.isArray(value) ? value.flatMap((text) => text.split(',')).filter((text) => text !== '') : []
    if (names.length === 0) this.say(`--${name} must be followed by a name, got nothing`)
    return [...new Set(names)]
  }

  /** Throws when anything was wrong. */
  check(): void {
    if (this.#problems.length > 0) throw this.refusal()
  }

  /** What `check` throws. */
  refusal(): BadInput {
    return new BadInput(this.#label, this.#problems)
  }

  /** Words that are not flags. A word after an unknown flag is taken for its value, so that it is not complained of twice. */
  #wordsOf(args: readonly string[]): readonly string[] {
    const words: string[] = []
    for (let i = 0; i < args.length; i++) {
      const arg = args[i] as string
      if (!/^-./.test(arg)) words.push(arg)
      else {
        this.#unknown(arg)
        if (!arg.includes('=') && args[i + 1]?.startsWith('-') === false) i++
      }
    }
    return words
  }

  #unknown(arg: string): void {
    const flag = arg.replace(/=.*/, '')
    const known = this.#command.options.map(({ long }) => long ?? '')
    const near = closest(flag, known)
    if (known.includes(flag)) this.say(`${flag} takes no value, got ${quote(arg.slice(flag.length + 1))}`)
    else if (near !== undefined) this.say(`there is no flag ${flag}; did you mean ${near}?`)
    else this.say(`there is no flag ${flag}; there are ${known.join(', ')}`)
  }

  /** The value of a flag that may be given once; the empty string when it was given without one. */
  #text(name: string): string | undefined {
    const value = this.#value(name)
    if (value === undefined) return undefined
    if (value === true) return ''
    if (!Array.isArray(value)) return value
    this.say(`--${name} was given ${value.length} times; give it once`)
    return value[0]
  }

  #value(name: string): string | true | string[] | undefined {
    const values = this.#command.opts<Record<string, string | true | string[] | undefined>>()
    return values[name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())]
  }
}

/** A flag with one value, `--seeds n`. Giving it twice is noticed, not decided by which came last. */
export function valueFlag(name: string, placeholder: string, about: string): Option {
  return new Option(`--${name} [${placeholder}]`, about).argParser(
    (value: string, before: string | string[] | undefined) => (before === undefined ? value : [before, value].flat()),
  )
}

/** A flag with several values, `--policy a b`. */
export function namesFlag(name: string, placeholder: string, about: string): Option {
  return new Option(`--${name} [${placeholder}...]`, about)
}

export function switchFlag(name: string, about: string): Option {
  return new Option(`--${name}`, about)
}

function gotWords(text: string): string {
  return text === '' ? 'nothing' : quote(text)
}
