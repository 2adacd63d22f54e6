// Everything that is wrong with what a user gave us, gathered so that it can be said at once: fixing options one error
// at a time is how an afternoon goes.

/** A list of complaints of the form `name must be <right>, got <received>`. */
export class Problems {
  readonly #lines: string[] = []

  get any(): boolean {
    return this.#lines.length > 0
  }

  /** `right` completes the sentence "name must be …". */
  add(name: string, right: string, received: unknown): void {
    this.say(`${name} must be ${right}, got ${show(received)}`)
  }

  say(line: string): void {
    this.#lines.push(line)
  }

  toString(): string {
    return this.#lines.join('; ')
  }
}

/** A short, quoted form of any value for an error message. */
export function show(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.length > 60 ? `${value.slice(0, 60)}…` : value)
  if (typeof value === 'function') return 'a function'
  if (Array.isArray(value)) return `[${value.slice(0, 5).map(show).join(', ')}${value.length > 5 ? ', …' : ''}]`
  if (typeof value === 'object' && value !== null) return 'an object'
  return String(value)
}
