// One admitted or waiting call, and the life of its permit. The permit comes back when the work and the response have
// both ended, whatever the order and however unusual the end:
//
//   handler returned a promise   both its promise and the response have ended
//   handler returned nothing     the response has ended, or its socket
//   handler failed, no head sent at once where nobody answers for it: there is nothing left that could end
//   stream, SSE                  the head is sent; then it counts as a stream until the response ends
//   caller who reads slowly      nothing has been waited for but its reading, for 100 to 200 ms; then as a stream
//
// Giving the slot back when the caller leaves, while the handler still works, would put new work beside the old.

import { AsyncResource } from 'node:async_hooks'
import type { Rejection } from '../core/decision.ts'
import type { Permit } from '../core/permit.ts'
import type { Ticket, Waiter } from '../core/ticket.ts'
import type { ResponseListener, ServedExchange } from './exchange.ts'
import type { Gate } from './gate.ts'
import { outcomeOfStatus } from './status.ts'
import { isThenable } from './thenable.ts'

/** What a handler is told about the call it serves. */
export interface Admitted {
  /**
   * Aborted when the caller leaves before the response is complete and, for streams, when the process shuts down. Pass it
   * on to what the handler calls.
   */
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
  notStarted?(): void
  /** `start` threw after a wait, when there is no stack left to throw to. */
  failed(error: unknown): void
  /**
   * Whether a framework sees what the work throws or rejects with, and answers. Bare Node does not: a rejection is then
   * left as unhandled as it would be without us.
   */
  readonly failuresAnswered: boolean
}

export class Served implements Waiter, ResponseListener, Admitted {
  readonly #gate: Gate
  readonly #exchange: ServedExchange
  readonly #work: Work
  #ticket: Ticket | undefined
  // Set while it waits: work must not run in the async context of whoever gave the slot back, or every trace and every
  // logger that asks takes it for theirs.
  #context: AsyncResource | undefined
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
  #sawIdle = 0

  constructor(gate: Gate, exchange: ServedExchange, work: Work) {
    this.#gate = gate
    this.#exchange = exchange
    this.#work = work
  }

  get signal(): AbortSignal {
    // Made on demand: most handlers never look, and a controller costs more than the whole decision.
    if (this.#abort === undefined) {
      this.#abort = new AbortController()
      if (this.#left || (this.#streaming && this.#gate.goingAway)) this.#abort.abort()
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
    this.#context = new AsyncResource('SPILLWAY_WAIT')
  }

  rejected(rejection: Rejection): void {
    this.#ticket = undefined
    if (!this.#closed) this.#exchange.refuse(rejection)
    this.#work.notStarted?.()
  }

  admitted(permit: Permit): void {
    this.#ticket = undefined
    try {
      if (this.#context === undefined) this.begin(permit)
      else this.#context.runInAsyncScope(this.begin, this, permit)
      this.follow()
    } catch (error) {
      this.#work.failed(error)
    }
  }

  /** Starts the work. What the handler throws before it returns comes out of here, once the permit is back. */
  begin(permit: Permit): void {
    this.#permit = permit
    // Nobody waits any more, or someone else has answered. A slot may come from a call on the same connection, whose loss
    // is told to one after the other.
    if (this.#closed || this.#exchange.over) {
      permit.cancel()
      this.#work.notStarted?.()
      return
    }
    if (this.#gate.closing) this.#exchange.lastOfConnection()
    let result: unknown
    try {
      const { door } = this.#gate
      // Only at a full door can work wait for a slot of its own (case C17), and only there it is worth a closure.
      result = door.full ? door.hold(permit, () => this.#work.start(this)) : this.#work.start(this)
    } catch (error) {
      this.#failed = true
      this.#settleIfOver()
      throw error
    }
    if (isThenable(result)) this.#watchWork(result, this.#work.failuresAnswered)
    else this.#settleIfOver()
  }

  /** Looks on while the response goes out. Most are over when their handler is, and are never watched. */
  follow(): void {
    if (this.#closed || this.#permit === undefined) return
    if (this.#exchange.over) this.#gate.writing(this)
    else this.#exchange.watchHead(this)
  }

  /**
   * Asked now and then while the response goes out: true when it need not be asked again. A caller who reads slowly holds
   * none of what the limit is about; twice found waiting for one, the permit comes back and the rest counts as a stream.
   */
  writes(): boolean {
    if (this.#closed || this.#permit?.ended) return true
    const { over, blocked } = this.#exchange
    const idle = blocked || (over && this.#working === 0)
    this.#sawIdle = idle ? this.#sawIdle + 1 : 0
    if (this.#sawIdle < 2) return false
    this.becameStream()
    return true
  }

  track(work: PromiseLike<unknown>): void {
    this.#watchWork(work, true)
  }

  headSent(contentType: string): void {
    if (this.#gate.isStream(contentType)) this.becameStream()
    else this.#gate.writing(this)
  }

  becameStream(): void {
    if (this.#permit === undefined || this.#permit.ended || this.#closed) return
    // The bound of streams is reached: this one keeps its permit, so that nothing is lost and nothing is unbounded.
    if (!this.#gate.streamStarted(this)) return
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
      this.#ticket = undefined
      this.#work.notStarted?.()
    }
    if (this.#streaming) this.#gate.streamEnded(this)
    if (!complete) {
      if (this.#working > 0) this.#gate.abandoned++
      this.#abort?.abort()
    }
    this.#settleIfOver()
  }

  /** The process goes away, and this stream should end. */
  goAway(): void {
    this.#abort?.abort()
  }

  // The caller has gone before the response was complete.
  get #left(): boolean {
    return this.#closed && !this.#complete
  }

  // `handled`: someone else sees the rejection. If not, it must stay as unhandled as it was before we looked.
  #watchWork(work: PromiseLike<unknown>, handled: boolean): void {
    this.#working++
    if (this.#working === 1 && this.#left) this.#gate.abandoned++
    work.then(
      () => this.#workEnded(),
      (error: unknown) => {
        this.#failed = true
        this.#workEnded()
        if (!handled) throw error
      },
    )
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
    if (this.#closed) {
      if (working) return
      if (this.#complete) permit.settle(outcomeOfStatus(this.#status))
      else permit.cancel()
    } else if (this.#failed && this.#working === 0 && !this.#exchange.headSent && !this.#work.failuresAnswered) {
      permit.settle('ignored')
    }
  }
}
