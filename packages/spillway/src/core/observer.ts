// Receives every transition of the door, synchronously and in order. An observer that throws changes no decision: the
// error is counted and reported, the work goes on.

import type { Arrival } from './arrival.ts'
import type { Rejection } from './decision.ts'
import type { Permit } from './permit.ts'
import type { Ticket } from './ticket.ts'

/** How a permit came back: settled, its caller gone, or taken back by the watchdog. */
export type Ending = 'settled' | 'cancelled' | 'reclaimed'

/** Every method may be left out. */
export interface Observer {
  /** Work starts: at once, or after `permit.waitedMs` in the queue. */
  admitted?(permit: Permit): void
  /** Work waits. */
  enqueued?(ticket: Ticket): void
  /** Work is refused, at the door or out of the queue. */
  rejected?(rejection: Rejection, arrival: Arrival): void
  /** The caller of waiting work has gone. */
  left?(ticket: Ticket): void
  /** A permit came back; `permit.outcome` says with what. */
  ended?(permit: Permit, ending: Ending): void
  /** The concurrency limit changed. */
  limitChanged?(limit: number, previous: number): void
}

/** An observer that cannot throw: what the observer inside throws goes to `onError`. */
export class GuardedObserver implements Required<Observer> {
  readonly #observer: Observer
  readonly #onError: (error: unknown) => void

  constructor(observer: Observer, onError: (error: unknown) => void) {
    this.#observer = observer
    this.#onError = onError
  }

  admitted(permit: Permit): void {
    try {
      this.#observer.admitted?.(permit)
    } catch (error) {
      this.#onError(error)
    }
  }

  enqueued(ticket: Ticket): void {
    try {
      this.#observer.enqueued?.(ticket)
    } catch (error) {
      this.#onError(error)
    }
  }

  rejected(rejection: Rejection, arrival: Arrival): void {
    try {
      this.#observer.rejected?.(rejection, arrival)
    } catch (error) {
      this.#onError(error)
    }
  }

  left(ticket: Ticket): void {
    try {
      this.#observer.left?.(ticket)
    } catch (error) {
      this.#onError(error)
    }
  }

  ended(permit: Permit, ending: Ending): void {
    try {
      this.#observer.ended?.(permit, ending)
    } catch (error) {
      this.#onError(error)
    }
  }

  limitChanged(limit: number, previous: number): void {
    try {
      this.#observer.limitChanged?.(limit, previous)
    } catch (error) {
      this.#onError(error)
    }
  }
}
