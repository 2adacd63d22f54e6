// Random programs of everything that can happen to a door, on the virtual runtime. After every step the accounts must add
// up, nothing may be lost or told twice, and nobody may wait beside a free slot. A failure prints the seed of its program:
// `programOf(seed)` replays it.

import { describe, expect, it } from 'vitest'
import type { Door } from '../src/core/admission-async.ts'
import type { Permit } from '../src/core/permit.ts'
import type { Quota, QuotaAnswer } from '../src/core/quota.ts'
import type { Ticket, Waiter } from '../src/core/ticket.ts'
import { VirtualRuntime } from '../src/runtime/virtual.ts'
import { SeededStream } from '../src/structures/prng.ts'
import { createAdmission } from '../src/surface/create-admission.ts'
import { createQuota } from '../src/surface/create-quota.ts'

const PROGRAMS = 400
const STEPS = 150

// A store that answers at once, late, or never, and refuses now and then.
class MoodyQuota implements Quota {
  taken = 0
  refunded = 0
  unanswered = 0
  readonly #chance: SeededStream
  readonly #runtime: VirtualRuntime

  constructor(seed: number, runtime: VirtualRuntime) {
    this.#chance = new SeededStream(seed, 'quota')
    this.#runtime = runtime
  }

  take(_key: string, cost: number, answer: (answer: QuotaAnswer) => void): QuotaAnswer | undefined {
    const mood = this.#chance.next()
    if (mood < 0.5) return this.#answer(mood < 0.35, cost)
    if (mood > 0.95) return undefined
    this.#runtime.setTimer(() => answer(this.#answer(mood < 0.85, cost)), this.#chance.next() * 80)
    return undefined
  }

  refund(_key: string, cost: number): void {
    this.refunded += cost
  }

  #answer(allowed: boolean, cost: number): QuotaAnswer {
    if (allowed) this.taken += cost
    return { allowed, retryAfterMs: allowed ? undefined : 5 }
  }
}

class Caller implements Waiter {
  told = 0
  ticket: Ticket | undefined
  /** Tokens of the quota it uses when admitted. */
  tokens = 0
  readonly #program: Program
  readonly #depth: number

  constructor(program: Program, depth: number) {
    this.#program = program
    this.#depth = depth
  }

  admitted(permit: Permit): void {
    this.#end()
    expect(permit.remainingMs()).toBeGreaterThan(0)
    this.#program.startedFromQueue(permit, this.tokens, this.#depth)
  }

  rejected(): void {
    this.#end()
    if (this.#depth < 3 && this.#program.chance.next() < 0.2) this.#program.offer(this.#depth + 1)
  }

  #end(): void {
    this.told++
    expect(this.told).toBe(1)
    this.#program.waiting.delete(this)
  }
}

class Program {
  readonly runtime: VirtualRuntime
  readonly chance: SeededStream
  readonly door: Door
  readonly quota: Quota | undefined
  readonly running: Permit[] = []
  readonly waiting = new Set<Caller>()
  #tokensUsed = 0

  constructor(seed: number) {
    this.runtime = new VirtualRuntime(seed)
    this.chance = new SeededStream(seed, 'program')
    const quotas = [
      undefined,
      new MoodyQuota(seed, this.runtime),
      createQuota({ limit: '20/s', burst: 5 }, this.runtime),
    ]
    this.quota = quotas[seed % 3]
    this.door = createAdmission(
      {
        limit: 1 + this.#upTo(5),
        waitMaxMs: 50,
        queueDepthMax: 4,
        permitAgeMaxMs: 300,
        quota: this.quota,
        observer: { admitted: (permit) => this.#admitted(permit) },
      },
      this.runtime,
    )
  }

  step(): string {
    const die = this.chance.next()
    if (die < 0.5) return this.offer(0)
    if (die < 0.75) return this.#settleOne()
    if (die < 0.82) return this.#leaveOne()
    if (die < 0.87) return this.#changeLimit()
    if (die < 0.9) return this.#stall()
    this.runtime.advance(this.chance.next() * 40)
    return 'advance'
  }

  offer(depth: number): string {
    const size = this.chance.next()
    const caller = new Caller(this, depth)
    const arrival = {
      cost: size < 0.7 ? 1 : size < 0.85 ? 2.5 : 0.1 + this.chance.next() * 7,
      key: this.chance.next() < 0.8 ? `tenant ${this.#upTo(3)}` : undefined,
      deadlineMs: this.chance.next() < 0.5 ? undefined : this.chance.next() * 120 - 10,
      attempt: 1 + this.#upTo(3),
    }
    if (arrival.key !== undefined) caller.tokens = arrival.cost
    const decision = this.door.offer(arrival, this.chance.next() < 0.8 ? caller : undefined)
    // Never told from inside its own offer.
    expect(caller.told).toBe(0)
    if (decision.status === 'admitted') {
      this.running.push(decision)
      this.#tokensUsed += caller.tokens
    }
    if (decision.status === 'waiting') {
      caller.ticket = decision
      this.waiting.add(caller)
    }
    return 'offer'
  }

  startedFromQueue(permit: Permit, tokens: number, depth: number): void {
    this.#tokensUsed += tokens
    const mood = this.chance.next()
    if (mood < 0.3) permit.settle('success')
    else this.running.push(permit)
    if (mood > 0.9 && depth < 3) this.offer(depth + 1)
    if (mood > 0.8 && mood < 0.85) throw new Error('a waiter of the program threw')
  }

  check(): void {
    const accounts = this.door.snapshot()
    const rejected = Object.values(accounts.rejected).reduce((sum, { door, queue }) => sum + door + queue, 0)
    const { running, waiting, success, ignored, dropped, reclaimed, cancelled, offered } = accounts
    expect(running + waiting + success + ignored + dropped + reclaimed + cancelled + rejected).toBe(offered)
    expect(accounts.waiting).toBe(this.waiting.size)
    expect(accounts.inFlight).toBeGreaterThanOrEqual(0)
    // No lost wake-up: who waits in line waits for somebody. (While a quota is asked, one may wait for nobody.)
    if (waiting > 0 && !(this.quota instanceof MoodyQuota)) expect(running).toBeGreaterThan(0)
  }

  checkEnd(): void {
    let over = 0
    this.door.close(100, () => over++)
    this.runtime.advance(2000)
    this.check()
    expect(over).toBe(1)
    const { waiting, callbackErrors } = this.door.snapshot()
    expect(waiting).toBe(0)
    expect(this.runtime.timersPending).toBe(0)
    expect(this.runtime.reported.every((error) => String(error).includes('of the program threw'))).toBe(true)
    expect(this.runtime.reported.length).toBe(callbackErrors)
    if (this.quota instanceof MoodyQuota) {
      // What was taken and not given back went to work that had a key.
      expect(this.quota.taken - this.quota.refunded).toBeCloseTo(this.#tokensUsed, 6)
    }
  }

  #admitted(permit: Permit): void {
    // In flight right after it was admitted, itself included.
    expect(permit.inFlight).toBeLessThanOrEqual(this.door.limit + 1e-9)
  }

  #settleOne(): string {
    const permit = this.running.splice(this.#upTo(this.running.length), 1)[0]
    if (permit === undefined) return 'nothing runs'
    if (this.chance.next() < 0.2) permit.cancel()
    else permit.settle((['success', 'ignored', 'dropped'] as const)[this.#upTo(3)] ?? 'success')
    if (this.chance.next() < 0.1) expect(permit.settle('success')).toBe(false)
    return 'settle'
  }

  #leaveOne(): string {
    const caller = [...this.waiting][this.#upTo(this.waiting.size)]
    if (caller === undefined) return 'nobody waits'
    this.waiting.delete(caller)
    expect(caller.ticket?.leave()).toBe(true)
    expect(caller.ticket?.leave()).toBe(false)
    return 'leave'
  }

  #changeLimit(): string {
    this.door.setLimit(1 + this.#upTo(6))
    return 'limit'
  }

  #stall(): string {
    this.runtime.stall(this.chance.next() * 100)
    return 'stall'
  }

  #upTo(bound: number): number {
    return Math.floor(this.chance.next() * bound)
  }
}

function runProgram(seed: number): string[] {
  const program = new Program(seed)
  const trace: string[] = []
  try {
    for (let step = 0; step < STEPS; step++) {
      trace.push(program.step())
      program.check()
    }
    program.checkEnd()
  } catch (error) {
    throw new Error(`program of seed ${seed} failed after ${trace.length} steps, the last a ${trace.at(-1)}`, {
      cause: error,
    })
  }
  return [...trace, JSON.stringify(program.door.snapshot())]
}

describe('the accounts of a door', () => {
  it(`add up after every step of ${PROGRAMS} random programs`, () => {
    for (let seed = 1; seed <= PROGRAMS; seed++) runProgram(seed)
  }, 60_000)

  it('are the same when a program is run again', () => {
    for (let seed = 1; seed <= 20; seed++) expect(runProgram(seed)).toEqual(runProgram(seed))
  })
})
