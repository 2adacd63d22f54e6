// Oldest first, bounded. Fair while the queue is short, and the door keeps it short: whoever could not start in time is
// refused on arrival. A full queue refuses the newcomer, so nobody who waits is displaced.

import type { Discipline } from '../core/discipline.ts'
import type { Ticket } from '../core/ticket.ts'
import { LinkedList } from '../structures/linked-list.ts'

export class FifoDiscipline implements Discipline {
  readonly #tickets = new LinkedList<Ticket>()
  readonly #depthMax: number
  // Sum of the costs of the tickets; set to 0 when the queue empties, so that rounding never adds up.
  #aheadCost = 0

  /** `depthMax`: most that may wait, ≥ 0. */
  constructor(depthMax: number) {
    this.#depthMax = depthMax
  }

  get size(): number {
    return this.#tickets.size
  }

  get aheadCost(): number {
    return this.#aheadCost
  }

  get full(): boolean {
    return this.#tickets.size >= this.#depthMax
  }

  enqueue(ticket: Ticket): Ticket | undefined {
    if (this.full) return ticket
    this.#tickets.push(ticket)
    this.#aheadCost += ticket.cost
    return undefined
  }

  peek(): Ticket | undefined {
    return this.#tickets.first
  }

  remove(ticket: Ticket): void {
    this.#tickets.remove(ticket)
    this.#aheadCost = this.#tickets.size === 0 ? 0 : this.#aheadCost - ticket.cost
  }
}
