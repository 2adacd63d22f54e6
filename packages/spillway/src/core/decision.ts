// What the door says to an offer. A refusal is a value, not an exception: under overload it is the commonest answer, so
// it must cost next to nothing, and it must carry the numbers it was decided on, so that nobody has to guess later.

import type { Permit } from './permit.ts'
import type { Ticket } from './ticket.ts'

/** Why work is refused. A closed list, in the order of the checks; docs/reference/reasons.md explains each. */
export const reasons = ['closing', 'quota', 'dependency', 'deadline', 'shed', 'capacity'] as const

/**
 * - `closing`: the process drains.
 * - `quota`: this caller used its share.
 * - `dependency`: a required dependency is not usable now.
 * - `deadline`: it cannot finish, or did not start, in time.
 * - `shed`: lower-value work refused to keep slack.
 * - `capacity`: no room: limit and queue full, evicted, or waited too long.
 */
export type Reason = (typeof reasons)[number]

/** Where it was decided: `door` at once, `queue` after waiting. */
export type Stage = 'door' | 'queue'

/** The answer to an offer: `decision.status` tells which. */
export type Decision = Permit | Ticket | Rejection

/**
 * A refusal, immutable, with the numbers it was decided on. All fields are whole numbers, which V8 stores in place:
 * the object takes 88 bytes.
 */
export class Rejection {
  readonly reason: Reason
  readonly stage: Stage
  /** The concurrency limit at that moment, in units of cost. */
  readonly limit: number
  /** Units of cost in flight at that moment. */
  readonly inFlight: number
  /** Arrivals waiting at that moment, itself not counted. */
  readonly waiting: number
  /** What the wait was thought to be, in ms, rounded up. */
  readonly estimatedWaitMs: number
  /** What was left of its deadline, in ms, rounded down; negative when it had passed. */
  readonly remainingMs: number
  /** When another attempt may be made, in ms from now; undefined when another attempt cannot help. */
  readonly retryAfterMs: number | undefined

  constructor(
    reason: Reason,
    stage: Stage,
    limit: number,
    inFlight: number,
    waiting: number,
    estimatedWaitMs: number,
    remainingMs: number,
    retryAfterMs: number | undefined,
  ) {
    this.reason = reason
    this.stage = stage
    this.limit = limit
    this.inFlight = inFlight
    this.waiting = waiting
    this.estimatedWaitMs = estimatedWaitMs
    this.remainingMs = remainingMs
    this.retryAfterMs = retryAfterMs
  }

  get status(): 'rejected' {
    return 'rejected'
  }

  /** Whether another attempt of the same request may help at all. */
  get retryable(): boolean {
    return this.retryAfterMs !== undefined
  }

  /** The refusal in one line, for logs and errors. */
  toString(): string {
    const where = this.stage === 'door' ? 'at the door' : 'in the queue'
    return (
      `rejected ${where}: ${this.reason} (limit ${this.limit}, in flight ${this.inFlight}, waiting ${this.waiting}, ` +
      `estimated wait ${this.estimatedWaitMs} ms, remaining ${this.remainingMs} ms)`
    )
  }
}
