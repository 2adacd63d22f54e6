// What stands before the work of one instance, if anything does: the shipped door, or one of the simple queues it is
// compared with. The entrance decides who comes in; the visit does the rest.

import type { Permit } from '../core/permit.ts'
import type { Outcome } from '../core/sample.ts'
import type { Ticket, Waiter } from '../core/ticket.ts'
import type { Attempt } from './contract.ts'

/** A call that wants in. `waiter` calls of the core, and `comeIn` and `turnedAway` of other queues, come back to it. */
export interface Guest extends Waiter {
  readonly attempt: Attempt
  /** When it reached the instance, ms. */
  readonly arrivedAt: number
  /** Whether its caller has left. */
  readonly gone: boolean
  /** What the shipped door gave it. Owned by the entrance. */
  permit: Permit | undefined
  ticket: Ticket | undefined
  comeIn(): void
  turnedAway(reason: 'capacity' | 'deadline' | 'closing', retryAfterMs: number | undefined): void
}

export interface Entrance {
  /** Admitted and not over, in units of cost, and the most there may be; Infinity without a limit. */
  readonly inFlight: number
  readonly limit: number
  readonly waiting: number
  /** Lets it in, turns it away, or lets it wait; then one of the guest's methods is called later. */
  enter(guest: Guest): void
  /** The caller of a guest that waits has gone. True when it need not come in any more. */
  leave(guest: Guest): boolean
  /** A guest that came in is done. */
  end(guest: Guest, outcome: Outcome): void
  /** Stops admitting; calls back when all is over or the grace period has passed. */
  close(graceMs: number, whenOver: () => void): void
  /** What does not add up in its own accounts, in words. */
  faults(): readonly string[]
  /** Calls it was offered and refused, for the comparison with its callers' accounts. */
  readonly offered: number
  readonly rejected: number
}
