// Queues as people write them by hand, to compare with: first in first out before so many slots, with what one cares to
// add: a bound, a longest wait, skipping callers who have gone, refusing what cannot finish. Without any of it there is
// nothing at all before the plant.

import type { Runtime } from '../core/runtime.ts'
import { FifoQueue } from '../structures/fifo-queue.ts'
import type { Entrance, Guest } from './entrance.ts'

export interface PlainQueueOptions {
  /** Most at a time; Infinity lets all in at once. */
  readonly limit: number
  /** Most that may wait. Default no bound. */
  readonly depthMax?: number
  /** Who has waited longer is refused, when its turn comes, ms. Default no bound. */
  readonly waitMaxMs?: number
  /** Who has less time left when its turn comes is refused, ms. Default: nobody is asked. */
  readonly leastLeftMs?: number
  /** Drops callers who have gone when their turn comes. Default false. */
  readonly skipsGone?: boolean
}

export class PlainQueue implements Entrance {
  readonly #options: PlainQueueOptions
  readonly #runtime: Runtime
  readonly #line = new FifoQueue<Guest>()
  #inFlight = 0
  #offered = 0
  #rejected = 0
  #skipped = 0
  #ended = 0
  #whenOver: (() => void) | undefined
  #closing = false

  constructor(options: PlainQueueOptions, runtime: Runtime) {
    this.#options = options
    this.#runtime = runtime
  }

  get inFlight(): number {
    return this.#inFlight
  }

  get limit(): number {
    return this.#options.limit
  }

  get waiting(): number {
    return this.#line.size
  }

  get offered(): number {
    return this.#offered
  }

  get rejected(): number {
    return this.#rejected + this.#skipped
  }

  enter(guest: Guest): void {
    this.#offered++
    if (this.#closing) this.#turnAway(guest, 'closing')
    else if (this.#inFlight < this.#options.limit && this.#line.size === 0) this.#letIn(guest)
    else if (this.#line.size >= (this.#options.depthMax ?? Infinity)) this.#turnAway(guest, 'capacity')
    else this.#line.push(guest)
  }

  // Who has gone keeps its place: nobody searches such a queue.
  leave(): boolean {
    return false
  }

  end(): void {
    this.#inFlight--
    this.#ended++
    this.#startNext()
    this.#overIfIdle()
  }

  close(graceMs: number, whenOver: () => void): void {
    this.#closing = true
    this.#whenOver = whenOver
    this.#runtime.setTimer(() => this.#onGraceOver(), graceMs)
    this.#overIfIdle()
  }

  faults(): readonly string[] {
    const placed = this.#inFlight + this.#line.size + this.#ended + this.#rejected + this.#skipped
    if (placed === this.#offered) return []
    return [`the queue was offered ${this.#offered} calls and has placed ${placed}`]
  }

  #startNext(): void {
    while (this.#inFlight < this.#options.limit) {
      const guest = this.#line.shift()
      if (guest === undefined) return
      const reason = this.#tooLate(guest)
      if (guest.gone && this.#options.skipsGone === true) {
        this.#skipped++
        guest.turnedAway('deadline', undefined)
      } else if (reason !== undefined) this.#turnAway(guest, reason)
      else this.#letIn(guest)
    }
  }

  #tooLate(guest: Guest): 'capacity' | 'deadline' | undefined {
    const waitedMs = this.#runtime.now() - guest.arrivedAt
    const leftMs = (guest.attempt.deadlineMs ?? Infinity) - waitedMs
    if (this.#options.leastLeftMs !== undefined && leftMs < this.#options.leastLeftMs) return 'deadline'
    return waitedMs > (this.#options.waitMaxMs ?? Infinity) ? 'capacity' : undefined
  }

  #letIn(guest: Guest): void {
    this.#inFlight++
    guest.comeIn()
  }

  #turnAway(guest: Guest, reason: 'capacity' | 'deadline' | 'closing'): void {
    this.#rejected++
    guest.turnedAway(reason, undefined)
  }

  #onGraceOver(): void {
    for (let guest = this.#line.shift(); guest !== undefined; guest = this.#line.shift())
      this.#turnAway(guest, 'closing')
    this.#over()
  }

  #overIfIdle(): void {
    if (this.#closing && this.#inFlight === 0 && this.#line.size === 0) this.#over()
  }

  #over(): void {
    this.#whenOver?.()
    this.#whenOver = undefined
  }
}
