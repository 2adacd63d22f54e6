// Who waits, who is next, who goes. A discipline orders and bounds; it knows no clock and no limit. The door takes
// tickets out when a slot is free, when they expire and when their caller leaves.

import type { Ticket } from './ticket.ts'

export interface Discipline {
  /** How many wait. Never above the bound the discipline was made with. */
  readonly size: number

  /** Units of cost that would be served before a newcomer. */
  readonly aheadCost: number

  /**
   * Whether nobody would be let in, whoever it was: then the door refuses without asking, and without making a ticket.
   * False where somebody who waits may be evicted instead.
   */
  readonly full: boolean

  /**
   * Lets a ticket join. Returns whoever must go for it: undefined when there was room, the ticket itself when it is not
   * let in, another one when that is evicted (and already taken out).
   */
  enqueue(ticket: Ticket): Ticket | undefined

  /** Who is next, or undefined. Stays in the queue. */
  peek(): Ticket | undefined

  /** Takes out a ticket that is in this queue. */
  remove(ticket: Ticket): void
}
