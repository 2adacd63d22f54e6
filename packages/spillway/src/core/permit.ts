// The right to run one arrival. It is settled exactly once; whatever comes later (a second settle, one after the
// watchdog has reclaimed it) changes nothing and is counted, because the second completion event of one request is the
// commonest way to lose count (cases C02, C16, C134).

import type { Linked } from '../structures/linked-list.ts'
import type { Arrival } from './arrival.ts'
import { type Criticality, criticalityDefault } from './criticality.ts'
import type { Deadline } from './deadline.ts'
import type { Outcome, Sample } from './sample.ts'
import type { ServiceTime } from './service-times.ts'

/** The side of the door a permit talks to. */
export interface PermitOwner {
  end(permit: Permit, outcome: Outcome, cancelled: boolean): boolean
  now(): number
}

export class Permit implements Sample, Linked<Permit> {
  /** Class of the arrival; undefined for work that named none. */
  readonly class: string | undefined
  readonly criticality: Criticality
  readonly cost: number
  /** When the answer becomes worthless, monotonic ms. */
  readonly deadline: Deadline
  readonly startedAt: number
  /** How long it waited in the queue, ms. */
  readonly waitedMs: number
  readonly inFlight: number
  readonly serviceTime: ServiceTime
  /** When it was settled; NaN while it runs. Set by the door. */
  endedAt = Number.NaN
  /** How it ended; meaningless while it runs. Set by the door. */
  outcome: Outcome = 'ignored'
  /** Whether it has ended, by settling or by the watchdog. Set by the door. */
  ended = false

  // Links of the list of all running permits, oldest first; owned by the door.
  previous: Permit | undefined = undefined
  next: Permit | undefined = undefined

  readonly #owner: PermitOwner

  constructor(
    arrival: Arrival,
    deadline: Deadline,
    startedAt: number,
    waitedMs: number,
    inFlight: number,
    serviceTime: ServiceTime,
    owner: PermitOwner,
  ) {
    this.class = arrival.class
    this.criticality = arrival.criticality ?? criticalityDefault
    this.cost = arrival.cost ?? 1
    this.deadline = deadline
    this.startedAt = startedAt
    this.waitedMs = waitedMs
    this.inFlight = inFlight
    this.serviceTime = serviceTime
    this.#owner = owner
  }

  get status(): 'admitted' {
    return 'admitted'
  }

  /** This object: `decision.permit` and `decision` are the same when the decision is an admission. */
  get permit(): this {
    return this
  }

  /** Time left until the deadline, in ms; negative when it has passed. */
  remainingMs(): number {
    return this.deadline - this.#owner.now()
  }

  /** Gives the slot back. False when the permit had already ended: nothing happens then, and that is counted. */
  settle(outcome: Outcome): boolean {
    return this.#owner.end(this, outcome, false)
  }

  /** Gives the slot back because the caller has left: neither success nor failure. False when it had already ended. */
  cancel(): boolean {
    return this.#owner.end(this, 'ignored', true)
  }
}
