// One admitted or waiting call, and the life of its permit. The permit comes back when the work and the response have
// both ended, whatever the order and however unusual the end:
//
//   handler returned a promise   both its promise and the response have ended
//   handler returned nothing     the response has ended, or its socket
//   handler failed, no head sent at once: there is nothing left that could end
//   stream, SSE                  the head is sent; then it counts as a stream until the response ends
//
// Giving the slot back when the caller leaves, while the handler still works, would put new work beside the old.

import type { Rejection } from '../core/decision.ts'
import type { Permit } from '../core/permit.ts'
import type { Ticket, Waiter } from '../core/ticket.ts'
import type { ResponseListener, ServedExchange } from './exchange.ts'
import type { Gate } from './gate.ts'
import { outcomeOfStatus } from './status.ts'

/** What a handler is told about the call it serves. */
export interface Admitted {
  /** Aborted when the caller leaves before the response is complete. Pass it on to what the handler calls. */
  readonly signal: AbortSignal
  /** Time left until the deadline, ms; negative when it has passed. */
  remainingMs(): number
  /**
   * Keeps the permit until this promise has ended too: for work that a handler starts and does not return. Node then
   * takes its rejection for handled, so handle it where the work was started.
   */
  track(work: PromiseLike<unknown>): void
}

/** What an adapter does for a call. */
export interface Work {
  /** Runs the work. Its promise, if it returns one, belongs to the permit. */
  start(admitted: Admitted): unknown
  /** The call is over without having been started: refused, or its caller left the queue. */
  over?(): void
  /** `start` threw after a wait, when there is no stack left to throw to. */
  failed(error: unknown): void
}

export class Served implements Waiter, ResponseListener, Admitted {
  readonly #gate: Gate
  readonly #exchange: ServedExchange
  readonly #work: Work
  #ticket: Ticket | undefined
  #permit: Permit | undefined
  #abort: AbortController | undefined
  // Promises of the handler that have not ended.
  #working = 0
  #closed = false
  // Meaningful once closed.
  #complete = false
  #status = 0
  #failed = false
  #streaming = false

  constructor(gate: Gate, exchange: ServedExchange, work: Work) {
    this.#gate = gate
    this.#exchange = exchange
    this.#work = work
  }

  get signal(): AbortSignal {
    // Made on demand: most handlers never look, and a controller costs more than the whole decision.
    if (this.#abort === undefined) {
      this.#abort = new AbortController()
      if (this.#left) this.#abort.abort()
    }
    return this.#abort.signal
  }

  remainingMs(): number {
    return this.#permit?.remainingMs() ?? 0
  }

  get closing(): boolean {
    return this.#gate.closing
  }

  /** It waits with this ticket. */
  queued(ticket: Ticket): void {
    this.#ticket = ticket
  }

  rejected(rejection: Rejection): void {
    this.#ticket = undefined
    if (!this.#closed) this.#exchange.refuse(rejection)
    this.#work.over?.()
  }

  admitted(permit: Permit): void {
    this.#ticket = undefined
    try {
      this.begin(permit)
    } catch (error) {
      this.#work.failed(error)
    }
  }

  /** Starts the work. What the handler throws before it returns comes out of here, once the permit is back. */
  begin(permit: Permit): void {
    this.#permit = permit
    if (this.#closed) {
      permit.cancel()
      this.#work.over?.()
      return
    }
    let result: unknown
    try {
      result = this.#gate.door.hold(permit, () => this.#work.start(this))
    } catch (error) {
      this.#failed = true
      this.#settleIfOver()
      throw error
    }
    if (isThenable(result)) this.track(result)
    else this.#settleIfOver()
  }

  track(work: PromiseLike<unknown>): void {
    this.#working++
    if (this.#working === 1 && this.#left) this.#gate.abandoned++
    // The error is the adapter's to pass on: whoever would have seen it without us must see it.
    work.then(
      () => this.#workEnded(),
      () => {
        this.#failed = true
        this.#workEnded()
      },
    )
  }

  headSent(contentType: string): void {
    if (this.#gate.isStream(contentType)) this.becameStream()
  }

  becameStream(): void {
    if (this.#permit === undefined || this.#permit.ended || this.#closed) return
    // The bound of streams is reached: this one keeps its permit, so that nothing is lost and nothing is unbounded.
    if (!this.#gate.streamStarted()) return
    this.#streaming = true
    this.#permit.settle('success')
  }

  closed(complete: boolean, status: number): void {
    if (this.#closed) return
    this.#closed = true
    this.#complete = complete
    this.#status = status
    if (this.#ticket !== undefined) {
      this.#ticket.leave()
      this.#work.over?.()
    }
    if (this.#streaming) this.#gate.streamEnded()
    if (!complete) {
      this.#abort?.abort()
      if (this.#working > 0) this.#gate.abandoned++
    }
    this.#settleIfOver()
  }

  // The caller has gone before the response was complete.
  get #left(): boolean {
    return this.#closed && !this.#complete
  }

  #workEnded(): void {
    this.#working--
    if (this.#working === 0 && this.#left) this.#gate.abandoned--
    this.#settleIfOver()
  }

  #settleIfOver(): void {
    const permit = this.#permit
    if (permit === undefined || permit.ended) return
    const working = this.#working > 0 && !this.#gate.releaseAtResponse
    if (this.#failed && !working && !this.#closed && !this.#exchange.headSent) permit.settle('ignored')
    if (!this.#closed || working) return
    if (!this.#complete) permit.cancel()
    else permit.settle(outcomeOfStatus(this.#status))
  }
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof (value as PromiseLike<unknown> | undefined)?.then === 'function'
}
