// A place in the waiting room. It ends once: handed over, refused (expired, evicted, closing) or left by its caller.

import type { Linked } from '../structures/linked-list.ts'
import type { TimedItem } from '../structures/timed-heap.ts'
import type { Arrival } from './arrival.ts'
import type { Criticality } from './criticality.ts'
import type { Deadline } from './deadline.ts'
import type { Rejection } from './decision.ts'
import type { Permit } from './permit.ts'
import type { ServiceTime } from './service-times.ts'

/** Who waits: told once how the wait ended. Never called from inside `offer`, and not at all after `leave`. */
export interface Waiter {
  /** A slot was handed over: do the work and settle the permit. */
  admitted(permit: Permit): void
  rejected(rejection: Rejection): void
}

/** Where a ticket stands: nowhere yet, its quota is being asked for, it is in line, or its wait has ended. */
export type TicketState = 'new' | 'quota' | 'queued' | 'ended'

/** The side of the door a ticket talks to. */
export interface TicketOwner {
  leave(ticket: Ticket): boolean
}

export class Ticket implements Linked<Ticket>, TimedItem {
  readonly arrival: Arrival
  readonly criticality: Criticality
  readonly cost: number
  readonly deadline: Deadline
  /** When it was offered, monotonic ms. */
  readonly offeredAt: number
  /** Service times of its class. */
  readonly serviceTime: ServiceTime
  readonly waiter: Waiter
  state: TicketState = 'new'
  /** Whether its quota was taken, and must be given back if it is not admitted. */
  charged: boolean
  /** Whether it may start although its work does not look feasible in time: see ServiceTime. */
  trial = false

  // Links of the queue it stands in; owned by the discipline.
  previous: Ticket | undefined = undefined
  next: Ticket | undefined = undefined
  // When it must have started, and its place among all such instants; owned by the door's expiry.
  at: number
  sequence = 0
  heapIndex = -1

  readonly #owner: TicketOwner

  constructor(
    arrival: Arrival,
    criticality: Criticality,
    deadline: Deadline,
    offeredAt: number,
    serviceTime: ServiceTime,
    waiter: Waiter,
    expiresAt: number,
    charged: boolean,
    owner: TicketOwner,
  ) {
    this.arrival = arrival
    this.criticality = criticality
    this.cost = arrival.cost ?? 1
    this.deadline = deadline
    this.offeredAt = offeredAt
    this.serviceTime = serviceTime
    this.waiter = waiter
    this.at = expiresAt
    this.charged = charged
    this.#owner = owner
  }

  get status(): 'waiting' {
    return 'waiting'
  }

  /**
   * The caller has gone: takes the ticket out of the queue at once, counted as cancelled. False when the wait had
   * already ended.
   */
  leave(): boolean {
    return this.#owner.leave(this)
  }
}
