// A request that passes beside the door: no permit, no sample, no wait; only a count of how many run at once, so that the
// way beside the door is no way around it.

import type { ResponseListener, ServedExchange } from './exchange.ts'
import type { Admitted, Work } from './served.ts'

export class HealthCheck implements ResponseListener, Admitted {
  readonly closing: boolean
  readonly #whenOver: () => void
  #abort: AbortController | undefined
  #over = false
  #left = false

  /** `whenOver` is called once. */
  constructor(closing: boolean, whenOver: () => void) {
    this.closing = closing
    this.#whenOver = whenOver
  }

  start(exchange: ServedExchange, work: Work): void {
    exchange.watch(this)
    if (this.#over) {
      work.notStarted?.()
      return
    }
    if (this.closing) exchange.lastOfConnection()
    try {
      work.start(this)
    } catch (error) {
      if (!work.failuresAnswered && !exchange.headSent) this.#end()
      throw error
    }
  }

  get signal(): AbortSignal {
    if (this.#abort === undefined) {
      this.#abort = new AbortController()
      if (this.#left) this.#abort.abort()
    }
    return this.#abort.signal
  }

  remainingMs(): number {
    return Number.POSITIVE_INFINITY
  }

  track(work: PromiseLike<unknown>): void {
    // It holds no permit that could wait; only the promise of track() is kept, that a rejection counts as handled.
    work.then(undefined, () => undefined)
  }

  headSent(): void {}

  becameStream(): void {}

  closed(complete: boolean): void {
    this.#left = !complete
    if (this.#left) this.#abort?.abort()
    this.#end()
  }

  #end(): void {
    if (this.#over) return
    this.#over = true
    this.#whenOver()
  }
}
