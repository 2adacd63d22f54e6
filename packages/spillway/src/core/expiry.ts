// Ends the waits that have lasted long enough. One timer for the whole queue, armed for the earliest instant, instead of
// one per arrival: under overload most waits end by a hand-over, and ten thousand timers set and cleared would be the
// largest cost of the door.

import { TimedHeap } from '../structures/timed-heap.ts'
import type { Runtime, Timer } from './runtime.ts'
import type { Ticket } from './ticket.ts'

export class Expiry {
  readonly #tickets = new TimedHeap<Ticket>()
  readonly #expire: (ticket: Ticket, now: number) => void
  readonly #runtime: Runtime
  #timer: Timer | undefined
  // When the timer fires; Infinity while none is armed. Never later than the earliest ticket.
  #armedAt = Infinity

  /** `expire` ends one ticket whose time has come, and takes it out. */
  constructor(expire: (ticket: Ticket, now: number) => void, runtime: Runtime) {
    this.#expire = expire
    this.#runtime = runtime
  }

  add(ticket: Ticket, now: number): void {
    this.#tickets.push(ticket)
    if (ticket.at < this.#armedAt) this.#arm(ticket.at, now)
  }

  remove(ticket: Ticket): void {
    this.#tickets.remove(ticket)
    // A timer left armed would keep the process alive for nobody (case C56).
    if (this.#tickets.size === 0) this.#disarm()
  }

  /** Whoever must start first, due or not. */
  peek(): Ticket | undefined {
    return this.#tickets.peek()
  }

  #arm(at: number, now: number): void {
    if (this.#timer !== undefined) this.#runtime.clearTimer(this.#timer)
    this.#armedAt = at
    this.#timer = this.#runtime.setTimer(this.#onTimer, Math.max(0, at - now))
  }

  #disarm(): void {
    if (this.#timer !== undefined) this.#runtime.clearTimer(this.#timer)
    this.#timer = undefined
    this.#armedAt = Infinity
  }

  readonly #onTimer = (): void => {
    const now = this.#runtime.now()
    this.#timer = undefined
    this.#armedAt = Infinity
    for (let first = this.#tickets.peek(); first !== undefined && first.at <= now; first = this.#tickets.peek()) {
      this.#expire(first, now)
    }
    const next = this.#tickets.peek()
    if (next !== undefined && next.at < this.#armedAt) this.#arm(next.at, now)
  }
}
