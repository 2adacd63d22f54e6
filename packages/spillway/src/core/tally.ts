// The door's accounts. Every arrival that was offered is, at any instant, in exactly one place:
//   offered = running + waiting + success + ignored + dropped + reclaimed + cancelled + Σ rejected[reason][stage]
// A property test runs random programs against this identity, and the console shows it.

import { type Reason, reasons, type Stage } from './decision.ts'
import type { Ending } from './observer.ts'
import type { Permit } from './permit.ts'

/** Refusals of one reason, by where they were decided. */
export type RejectedByStage = { readonly [S in Stage]: number }

/** Plain numbers, counted since the door was made. `running`, `waiting`, `inFlight` and `limit` are of this instant. */
export interface AdmissionSnapshot {
  readonly limit: number
  /** Units of cost in flight. */
  readonly inFlight: number
  readonly running: number
  readonly waiting: number
  /** Attempts offered; `retries` of them were not the first of their logical request. */
  readonly offered: number
  readonly retries: number
  readonly success: number
  /** Successes whose deadline had not passed (and whose caller still waited: who has left is cancelled). */
  readonly good: number
  readonly ignored: number
  readonly dropped: number
  readonly reclaimed: number
  readonly cancelled: number
  readonly rejected: { readonly [R in Reason]: RejectedByStage }
  /** Settles that came after the permit had ended: a second completion, or one later than the watchdog. */
  readonly lateSettles: number
  /** Arrivals that a quota could not count because they had no key. */
  readonly unkeyed: number
  /** Calls of the door from inside work that held a permit of it already, and ran under that one. */
  readonly nested: number
  /** Observers, waiters, quotas and limiters that threw. */
  readonly callbackErrors: number
  readonly closing: boolean
}

/** What the door knows of this instant. */
type Instant = Pick<AdmissionSnapshot, 'limit' | 'inFlight' | 'running' | 'waiting' | 'closing'>

/** The counters behind the snapshot. Only the door writes them. */
export class Tally {
  offered = 0
  retries = 0
  cancelled = 0
  lateSettles = 0
  unkeyed = 0
  nested = 0
  callbackErrors = 0
  #success = 0
  #good = 0
  #ignored = 0
  #dropped = 0
  #reclaimed = 0
  readonly #door: Record<Reason, number> = zeros()
  readonly #queue: Record<Reason, number> = zeros()

  countRejected(reason: Reason, stage: Stage): void {
    if (stage === 'door') this.#door[reason]++
    else this.#queue[reason]++
  }

  countEnding(permit: Permit, ending: Ending): void {
    if (ending === 'reclaimed') this.#reclaimed++
    else if (ending === 'cancelled') this.cancelled++
    else if (permit.outcome === 'dropped') this.#dropped++
    else if (permit.outcome === 'success') {
      this.#success++
      if (permit.endedAt <= permit.deadline) this.#good++
    } else this.#ignored++ // Also whatever untyped code settles with: a word nobody knows is no success.
  }

  snapshot(instant: Instant): AdmissionSnapshot {
    return {
      ...instant,
      offered: this.offered,
      retries: this.retries,
      success: this.#success,
      good: this.#good,
      ignored: this.#ignored,
      dropped: this.#dropped,
      reclaimed: this.#reclaimed,
      cancelled: this.cancelled,
      rejected: this.#rejected(),
      lateSettles: this.lateSettles,
      unkeyed: this.unkeyed,
      nested: this.nested,
      callbackErrors: this.callbackErrors,
    }
  }

  #rejected(): { [R in Reason]: RejectedByStage } {
    const byReason = {} as { [R in Reason]: RejectedByStage }
    for (const reason of reasons) byReason[reason] = { door: this.#door[reason], queue: this.#queue[reason] }
    return byReason
  }
}

function zeros(): Record<Reason, number> {
  return { closing: 0, quota: 0, dependency: 0, deadline: 0, shed: 0, capacity: 0 }
}
