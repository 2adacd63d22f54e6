// Everyone who waits: those in line, ordered and bounded by the discipline, and those whose quota is still being asked
// for. Both wait under one bound, the longest wait or the last moment at which their work could still be done in time,
// whichever comes first.

import type { Arrival } from './arrival.ts'
import { criticalityDefault } from './criticality.ts'
import { deadlineAfter } from './deadline.ts'
import type { Discipline } from './discipline.ts'
import { Expiry } from './expiry.ts'
import type { Runtime } from './runtime.ts'
import type { ServiceTime } from './service-times.ts'
import { Ticket, type TicketOwner, type Waiter } from './ticket.ts'

// A caller whose deadline falls while it waits is told this long before, so that the refusal still reaches it.
const REFUSAL_LEAD_MS = 1

/** When a wait must be over: `leastMs` before the deadline, and not too late to say so. On the clock of the deadline. */
export function lastStart(deadlineMs: number, leastMs: number): number {
  return deadlineMs - Math.max(leastMs, REFUSAL_LEAD_MS)
}

export class WaitingRoom {
  readonly waitMaxMs: number
  readonly #discipline: Discipline
  readonly #expiry: Expiry
  // Tickets in state 'quota': they wait, but not in line.
  #asking = 0

  /** `expire` ends a wait whose time has come; it takes the ticket out. */
  constructor(
    discipline: Discipline,
    waitMaxMs: number,
    expire: (ticket: Ticket, now: number) => void,
    runtime: Runtime,
  ) {
    this.waitMaxMs = waitMaxMs
    this.#discipline = discipline
    this.#expiry = new Expiry(expire, runtime)
  }

  /** Everyone who waits. */
  get size(): number {
    return this.#discipline.size + this.#asking
  }

  /** Those in line. */
  get inLine(): number {
    return this.#discipline.size
  }

  /** Units of cost that would be served before a newcomer. */
  get aheadCost(): number {
    return this.#discipline.aheadCost
  }

  /** Whether nobody would be let in. */
  get full(): boolean {
    return this.#discipline.full
  }

  /** Who is next in line. */
  peek(): Ticket | undefined {
    return this.#discipline.peek()
  }

  /** Whoever must start first, in line or not. */
  mostUrgent(): Ticket | undefined {
    return this.#expiry.peek()
  }

  /** A ticket that has not joined yet. */
  ticket(
    arrival: Arrival,
    waiter: Waiter,
    remainingMs: number,
    now: number,
    serviceTime: ServiceTime,
    charged: boolean,
    trial: boolean,
    owner: TicketOwner,
  ): Ticket {
    const criticality = arrival.criticality ?? criticalityDefault
    const deadline = deadlineAfter(now, remainingMs)
    const expiresAt = Math.min(now + this.waitMaxMs, lastStart(deadline, trial ? 0 : serviceTime.feasibleMs))
    const ticket = new Ticket(arrival, criticality, deadline, now, serviceTime, waiter, expiresAt, charged, owner)
    ticket.trial = trial
    return ticket
  }

  /** Waits outside the line, until the quota has answered. */
  ask(ticket: Ticket, now: number): void {
    ticket.state = 'quota'
    this.#asking++
    this.#expiry.add(ticket, now)
  }

  /** Joins the line. Returns whoever must go for it, perhaps the ticket itself; that one's wait has ended. */
  enqueue(ticket: Ticket, now: number): Ticket | undefined {
    const displaced = this.#discipline.enqueue(ticket)
    if (displaced !== ticket) {
      ticket.state = 'queued'
      this.#expiry.add(ticket, now)
    }
    if (displaced !== undefined) {
      displaced.state = 'ended'
      this.#expiry.remove(displaced)
    }
    return displaced
  }

  /** Ends a wait. */
  takeOut(ticket: Ticket): void {
    if (ticket.state === 'queued') this.#discipline.remove(ticket)
    else this.#asking--
    ticket.state = 'ended'
    this.#expiry.remove(ticket)
  }

  /** Why the wait of this ticket is over when its time has come. */
  expiryReason(ticket: Ticket): 'deadline' | 'capacity' {
    return ticket.at < ticket.offeredAt + this.waitMaxMs ? 'deadline' : 'capacity'
  }
}
