// Parts for random programs that behave as badly as a contract allows, and sometimes worse: a quota that answers at once,
// late or never, a limiter that changes its mind with every sample, and a discipline that evicts. All of them throw.

import { expect } from 'vitest'
import type { Discipline } from '../src/core/discipline.ts'
import { type Limiter, limitMax } from '../src/core/limiter.ts'
import type { Quota, QuotaAnswer } from '../src/core/quota.ts'
import type { RandomStream } from '../src/core/runtime.ts'
import type { Ticket } from '../src/core/ticket.ts'
import { LinkedList } from '../src/structures/linked-list.ts'
import { createQuota } from '../src/surface/create-quota.ts'
import type { Caller, Program } from './door-program.ts'

/** `bucket` is ours; `late` answers as it likes; `broken` throws as well. */
export type QuotaKind = 'none' | 'bucket' | 'late' | 'broken'

/** Counts what was taken and given back. */
export class CountingQuota implements Quota {
  /** Answers that are still to come. */
  thinking = 0
  #balance = 0
  readonly #kind: QuotaKind
  readonly #program: Program
  readonly #chance: RandomStream
  readonly #bucket: Quota

  constructor(kind: QuotaKind, program: Program) {
    this.#kind = kind
    this.#program = program
    this.#chance = program.runtime.stream('quota')
    this.#bucket = createQuota({ limit: '20/s', burst: 5 }, program.runtime)
  }

  take(key: string, cost: number, answer: (answer: QuotaAnswer) => void): QuotaAnswer | undefined {
    const caller = this.#program.offering
    const mood = this.#chance.next()
    if (this.#kind === 'broken' && mood < 0.2) this.#program.fault()
    if (this.#kind === 'bucket') return this.#noted(this.#bucket.take(key, cost, answer) as QuotaAnswer, cost, caller)
    if (mood < 0.4) return this.#noted({ allowed: mood < 0.3, retryAfterMs: 5 }, cost, caller)
    if (mood > 0.9) return undefined
    const late = { allowed: mood < 0.75, retryAfterMs: mood * 100 }
    this.thinking++
    this.#program.runtime.setTimer(() => {
      this.thinking--
      answer(this.#noted(late, cost, caller?.ticket?.state === 'quota' ? caller : undefined))
      this.#program.noteJoined(caller?.ticket)
    }, this.#chance.next() * 80)
    return undefined
  }

  refund(key: string, cost: number): void {
    this.#balance -= cost
    if (this.#kind === 'bucket') this.#bucket.refund(key, cost)
    if (this.#kind === 'broken' && this.#chance.next() < 0.2) this.#program.fault()
  }

  /** What was taken and not given back is what those used who run, ran, or wait in line. */
  check(callers: readonly Caller[]): void {
    let used = 0
    for (const { charged, permit, ticket, offer } of callers) {
      if (charged && (permit !== undefined || ticket?.state === 'queued')) used += offer.arrival.cost ?? 1
    }
    expect(Math.abs(this.#balance - used), 'tokens of the quota').toBeLessThan(1e-6)
  }

  #noted(answer: QuotaAnswer, cost: number, caller: Caller | undefined): QuotaAnswer {
    if (!answer.allowed) return answer
    this.#balance += cost
    if (caller !== undefined) caller.charged = true
    return answer
  }
}

/** Fixed, or up and down by one with every sample. */
export class JumpyLimiter implements Limiter {
  limit: number
  readonly #jumpy: boolean
  readonly #program: Program
  readonly #chance: RandomStream
  #listener: () => void = () => {}

  constructor(limit: number, jumpy: boolean, program: Program) {
    this.limit = limit
    this.#jumpy = jumpy
    this.#program = program
    this.#chance = program.runtime.stream('limiter')
  }

  sample(): void {
    if (!this.#jumpy) return
    const mood = this.#chance.next()
    this.setLimit(Math.min(8, Math.max(1, this.limit + (mood < 0.5 ? 1 : -1))))
    if (mood > 0.95) this.#program.fault()
  }

  onChange(listener: () => void): void {
    this.#listener = listener
  }

  setLimit(limit: number): void {
    const changed = limit !== this.limit
    this.limit = Math.min(limit, limitMax)
    if (changed) this.#listener()
  }
}

/** Newest first; a full queue evicts the oldest (case C07). */
export class NewestFirst implements Discipline {
  readonly #tickets = new LinkedList<Ticket>()
  readonly #depthMax: number
  #cost = 0

  constructor(depthMax: number) {
    this.#depthMax = depthMax
  }

  get size(): number {
    return this.#tickets.size
  }

  get aheadCost(): number {
    return 0
  }

  get full(): boolean {
    return this.#depthMax === 0
  }

  enqueue(ticket: Ticket): Ticket | undefined {
    if (this.full) return ticket
    const oldest = this.#tickets.size >= this.#depthMax ? this.#tickets.first : undefined
    if (oldest !== undefined) this.remove(oldest)
    this.#tickets.push(ticket)
    this.#cost += ticket.cost
    return oldest
  }

  peek(): Ticket | undefined {
    return this.#tickets.last
  }

  remove(ticket: Ticket): void {
    this.#tickets.remove(ticket)
    this.#cost -= ticket.cost
  }
}
