// The smallest value of the last while, in constant memory: the minimum of the current span and of the one before it.
// It covers between one and two spans, which is all that "recent" means here.

export class WindowMinimum {
  readonly #spanMs: number
  #current = Infinity
  #previous = Infinity
  #startedAt = 0

  constructor(spanMs: number) {
    this.#spanMs = spanMs
  }

  /** Records a value at `now` (ms) and returns the minimum of the last one to two spans, itself included. */
  record(value: number, now: number): number {
    const elapsedMs = now - this.#startedAt
    if (elapsedMs >= this.#spanMs) {
      this.#previous = elapsedMs < 2 * this.#spanMs ? this.#current : Infinity
      this.#current = Infinity
      this.#startedAt = now
    }
    if (value < this.#current) this.#current = value
    return Math.min(this.#current, this.#previous)
  }
}
