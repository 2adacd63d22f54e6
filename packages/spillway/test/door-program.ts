// Random programs for a door, and a model of its accounts that was written without looking at them: every caller knows what
// happened to it, so each counter of the door can be compared with what was seen from outside, after every step.
//
// A program is plain data, so that fast-check can shrink one that fails and print it. Indices mean "that one, modulo how
// many there are".

import { expect } from 'vitest'
import { Door } from '../src/core/admission-async.ts'
import type { Arrival } from '../src/core/arrival.ts'
import { type Reason, type Rejection, reasons, type Stage } from '../src/core/decision.ts'
import type { Discipline } from '../src/core/discipline.ts'
import type { Ending, Observer } from '../src/core/observer.ts'
import type { Permit } from '../src/core/permit.ts'
import type { Ticket, Waiter } from '../src/core/ticket.ts'
import { FifoDiscipline } from '../src/disciplines/fifo.ts'
import { VirtualRuntime } from '../src/runtime/virtual.ts'
import { CountingQuota, JumpyLimiter, NewestFirst, type QuotaKind } from './door-program-parts.ts'

/** What a caller does when it is told. `other` ends whatever else runs. */
export type Reaction = 'keep' | 'settle' | 'cancel' | 'throw' | 'offer' | 'raise' | 'lower' | 'other' | 'leave'

export interface Offer {
  readonly act: 'offer'
  readonly arrival: Arrival
  readonly waits: boolean
  readonly onAdmitted: Reaction
  readonly onRejected: Reaction
}

export type Step =
  | Offer
  | { readonly act: 'end'; readonly index: number; readonly how: 'success' | 'ignored' | 'dropped' | 'cancel' }
  | { readonly act: 'end again'; readonly index: number }
  | { readonly act: 'leave'; readonly index: number }
  | { readonly act: 'limit'; readonly limit: number }
  | { readonly act: 'advance'; readonly ms: number }
  | { readonly act: 'stall'; readonly ms: number }
  | { readonly act: 'drain'; readonly graceMs: number }

export interface Setting {
  readonly limit: number
  readonly jumpy: boolean
  readonly newestFirst: boolean
  readonly depthMax: number
  readonly waitMaxMs: number
  readonly permitAgeMaxMs: number
  readonly quota: QuotaKind
  /** What the observer does whenever it is told of a wait, of a start, of an end. */
  readonly observed: { readonly enqueued: Reaction; readonly admitted: Reaction; readonly ended: Reaction }
}

/** At most this many offers are made from inside callbacks, or two callers that answer each other would never end. */
const NESTED_MAX = 40
const EPSILON = 1e-9

export class Program {
  readonly runtime: VirtualRuntime
  readonly door: Door
  readonly trace: string[] = []
  readonly callers: Caller[] = []
  readonly quota: CountingQuota | undefined
  readonly setting: Setting
  errors = 0
  nested = 0
  // Whose quota is being asked for.
  offering: Caller | undefined
  // Tickets in the order in which they joined the line.
  readonly #joined: Ticket[] = []
  readonly #drains: { called: number; readonly dueAt: number }[] = []
  readonly #enqueued = new Set<Ticket>()
  #graceOver = false
  #lateSettles = 0
  #raisedAt = 0

  constructor(setting: Setting, seed: number) {
    this.setting = setting
    this.runtime = new VirtualRuntime(seed)
    const discipline: Discipline = setting.newestFirst
      ? new NewestFirst(setting.depthMax)
      : new FifoDiscipline(setting.depthMax)
    const limiter = new JumpyLimiter(setting.limit, setting.jumpy, this)
    this.quota = setting.quota === 'none' ? undefined : new CountingQuota(setting.quota, this)
    const { waitMaxMs, permitAgeMaxMs } = setting
    const parts = { limiter, discipline, quota: this.quota, observer: this.#observer(), waitMaxMs, permitAgeMaxMs }
    this.door = new Door({ ...parts, deadlineMs: 150, classesMax: 1 }, this.runtime)
  }

  run(steps: readonly Step[]): void {
    for (const [index, step] of steps.entries()) {
      this.#step(step)
      this.trace.push(`${index} ${step.act} ${JSON.stringify(this.door.snapshot())}`)
      // What is handed over "later" is due in the same instant of virtual time.
      this.runtime.advance(0)
      this.check()
      if (step.act === 'advance') this.#checkNobodyOverstays()
    }
    this.#finish()
  }

  offer(offer: Offer): void {
    const caller = new Caller(this, offer)
    this.callers.push(caller)
    const { offering } = this
    this.offering = caller
    const inLine = this.#line().length
    const decision = this.door.offer(offer.arrival, offer.waits ? caller : undefined)
    this.offering = offering
    expect(caller.told, 'told from inside its own offer').toBe(0)
    if (decision.status === 'admitted') {
      expect(inLine, 'a newcomer passed those in line').toBe(0)
      this.#started(caller, decision)
    } else if (decision.status === 'rejected') caller.refused(decision, 'door')
    else {
      caller.ticket = decision
      expect(decision.at, 'waits although its time has come').toBeGreaterThan(this.runtime.now())
    }
  }

  /** Does what a callback was told to do. `self` is the permit or ticket it is about. */
  react(reaction: Reaction, offer: Offer, permit?: Permit, ticket?: Ticket): void {
    if (reaction === 'settle') this.end(permit, 'success')
    if (reaction === 'cancel') this.end(permit, 'cancel')
    if (reaction === 'leave' && ticket !== undefined) this.leave(this.callerOf(ticket), ticket)
    if (reaction === 'raise') this.limit(this.door.limit + 1)
    if (reaction === 'lower') this.limit(Math.max(1, this.door.limit - 1))
    if (reaction === 'other') this.end(this.#running()[0]?.permit, 'dropped')
    if (reaction === 'offer' && this.nested < NESTED_MAX) {
      this.nested++
      this.offer(offer)
    }
    if (reaction === 'throw') this.fault()
  }

  fault(): never {
    this.errors++
    throw new Error('of the program')
  }

  end(permit: Permit | undefined, how: 'success' | 'ignored' | 'dropped' | 'cancel'): void {
    if (permit === undefined) return
    const { ended } = permit
    expect(how === 'cancel' ? permit.cancel() : permit.settle(how), 'a settle says whether it counted').toBe(!ended)
    if (ended) this.#lateSettles++
  }

  leave(caller: Caller | undefined, ticket: Ticket | undefined): void {
    if (ticket === undefined) return
    const waits = ticket.state !== 'ended'
    if (waits && caller !== undefined) caller.left = true
    expect(ticket.leave(), 'leaving says whether it ended a wait').toBe(waits)
  }

  limit(limit: number): void {
    this.#raisedAt = this.runtime.now()
    this.door.setLimit(limit)
  }

  callerOf(ticket: Ticket): Caller | undefined {
    return this.callers.find((caller) => caller === ticket.waiter)
  }

  /** A ticket that was outside the line has joined it. */
  noteJoined(ticket: Ticket | undefined): void {
    if (ticket?.state === 'queued' && !this.#joined.includes(ticket)) this.#joined.push(ticket)
  }

  toldOfGrace(): void {
    this.#graceOver = true
  }

  startedFromQueue(caller: Caller, permit: Permit): void {
    expect(this.#graceOver, 'started after the grace period').toBe(false)
    expect(permit.waitedMs, 'nobody starts after the longest wait').toBeLessThanOrEqual(this.setting.waitMaxMs)
    if (!this.setting.newestFirst && caller.ticket !== undefined) {
      const before = this.#joined.slice(0, Math.max(0, this.#joined.indexOf(caller.ticket)))
      expect(before.filter(({ state }) => state === 'queued').length, 'passed somebody in line').toBe(0)
    }
    this.#started(caller, permit)
  }

  check(): void {
    const accounts = this.door.snapshot()
    const running = this.#running()
    const waiting = this.callers.filter((caller) => caller.ticket !== undefined && caller.ticket.state !== 'ended')
    const seen = { offered: this.callers.length, running: running.length, waiting: waiting.length, ...this.#endings() }
    const { lateSettles, callbackErrors } = accounts
    expect({ ...pick(accounts), lateSettles, callbackErrors }).toEqual({
      ...seen,
      lateSettles: this.#lateSettles,
      callbackErrors: this.errors,
    })
    const cost = running.reduce((sum, { permit }) => sum + (permit as Permit).cost, 0)
    expect(accounts.inFlight).toBeGreaterThanOrEqual(0)
    expect(Math.abs(accounts.inFlight - cost), 'units in flight are those of what runs').toBeLessThan(1e-6)
    this.#checkNoLostWakeUp(accounts.inFlight, accounts.limit)
    this.quota?.check(this.callers)
    for (const { threw, permit } of this.callers) if (threw) expect(permit?.ended, 'threw and kept its slot').toBe(true)
    const draining = this.#drains.some(({ called }) => called === 0) ? 1 : 0
    const timersMax = Math.min(1, waiting.length) + draining + (this.quota?.thinking ?? 0)
    expect(this.runtime.timersPending, 'timers for nobody').toBeLessThanOrEqual(timersMax)
    if (this.#drains.some(({ called }) => called > 0)) expect(waiting.length, 'waits after the drain').toBe(0)
    for (const { called, dueAt } of this.#drains) {
      const over = (running.length === 0 && waiting.length === 0) || this.runtime.now() >= dueAt
      if (over) expect(called, 'a drain ends once').toBe(1)
      else expect(called, 'a drain ends too early').toBe(0)
    }
  }

  #step(step: Step): void {
    if (step.act === 'offer') this.offer(step)
    else if (step.act === 'end') this.end(at(this.#running(), step.index)?.permit, step.how)
    else if (step.act === 'end again') {
      const over = this.callers.filter(({ permit }) => permit?.ended)
      this.end(at(over, step.index)?.permit, 'success')
    } else if (step.act === 'leave') {
      const tickets = this.callers.filter(({ ticket }) => ticket !== undefined)
      const caller = at(tickets, step.index)
      this.leave(caller, caller?.ticket)
    } else if (step.act === 'limit') this.limit(step.limit)
    else if (step.act === 'advance') this.runtime.advance(step.ms)
    else if (step.act === 'stall') this.runtime.stall(step.ms)
    else this.#drain(step.graceMs)
  }

  #drain(graceMs: number): void {
    // A second drain joins the first, whose grace counts.
    const drain = { called: 0, dueAt: this.#drains[0]?.dueAt ?? this.runtime.now() + graceMs }
    this.#drains.push(drain)
    this.door.close(graceMs, () => {
      drain.called++
    })
  }

  #finish(): void {
    this.#drain(100)
    this.runtime.advance(5000)
    this.check()
    expect(this.door.waiting, 'somebody waits for ever').toBe(0)
    expect(this.runtime.timersPending, 'a timer keeps the process alive').toBe(0)
    this.runtime.advance(this.setting.permitAgeMaxMs)
    this.check()
    expect(this.door.snapshot()).toMatchObject({ running: 0, inFlight: 0 })
    for (const caller of this.callers) caller.checkOver()
  }

  #started(caller: Caller, permit: Permit): void {
    expect(caller.permit, 'admitted twice').toBeUndefined()
    caller.permit = permit
    expect(permit.deadline - permit.startedAt, 'expired work was started').toBeGreaterThan(0)
  }

  // Whoever is next in line does not fit, or there is no next.
  #checkNoLostWakeUp(inFlight: number, limit: number): void {
    const line = this.#line()
    const next = this.setting.newestFirst ? line.at(-1) : line[0]
    if (next === undefined) return
    expect(inFlight + next.cost, 'somebody waits beside a free slot').toBeGreaterThan(limit + EPSILON / 2)
    expect(next.cost, 'waits for what there will never be').toBeLessThanOrEqual(limit)
  }

  #line(): Ticket[] {
    return this.#joined.filter(({ state }) => state === 'queued')
  }

  #checkNobodyOverstays(): void {
    for (const { ticket } of this.callers) {
      if (ticket !== undefined && ticket.state !== 'ended') expect(ticket.at).toBeGreaterThan(this.runtime.now())
    }
  }

  #running(): Caller[] {
    return this.callers.filter(({ permit }) => permit !== undefined && !permit.ended)
  }

  #endings(): Record<string, number> {
    const counts: Record<string, number> = { success: 0, ignored: 0, dropped: 0, reclaimed: 0, cancelled: 0 }
    for (const reason of reasons) for (const stage of ['door', 'queue']) counts[`${reason} ${stage}`] = 0
    for (const caller of this.callers) {
      const ending = caller.ending()
      if (ending !== undefined) counts[ending] = (counts[ending] as number) + 1
    }
    return counts
  }

  #observer(): Observer {
    const { observed } = this.setting
    const again: Offer = { act: 'offer', arrival: {}, waits: false, onAdmitted: 'keep', onRejected: 'keep' }
    return {
      admitted: (permit) => {
        const lowered = this.runtime.now() === this.#raisedAt
        if (!lowered) expect(permit.inFlight).toBeLessThanOrEqual(this.door.limit + EPSILON)
        this.react(observed.admitted, again)
      },
      enqueued: (ticket) => {
        expect(this.#enqueued.has(ticket), 'a wait is observed once').toBe(false)
        this.#enqueued.add(ticket)
        this.noteJoined(ticket)
        this.react(observed.enqueued, again, undefined, ticket)
      },
      ended: (permit, ending) => {
        const caller = this.callers.find((each) => each.permit === permit)
        if (caller !== undefined) {
          expect(caller.endedAs, 'a permit ends once').toBeUndefined()
          caller.endedAs = ending
        }
        this.react(observed.ended, again)
      },
    }
  }
}

/** One arrival, and what its caller was told. */
export class Caller implements Waiter {
  told = 0
  left = false
  /** Whether it threw when it was handed a slot. */
  threw = false
  ticket: Ticket | undefined
  permit: Permit | undefined
  endedAs: Ending | undefined
  /** Whether tokens of the quota were taken for it. */
  charged = false
  readonly offer: Offer
  readonly #program: Program
  #rejected: `${Reason} ${Stage}` | undefined

  constructor(program: Program, offer: Offer) {
    this.#program = program
    this.offer = offer
  }

  admitted(permit: Permit): void {
    this.#isTold()
    this.#program.startedFromQueue(this, permit)
    this.threw = this.offer.onAdmitted === 'throw'
    this.#program.react(this.offer.onAdmitted, { ...this.offer, onAdmitted: 'settle' }, permit)
  }

  rejected(rejection: Rejection): void {
    this.#isTold()
    this.refused(rejection, 'queue')
    this.#program.react(this.offer.onRejected, { ...this.offer, onRejected: 'keep' })
  }

  refused(rejection: Rejection, stage: Stage): void {
    expect(rejection.stage).toBe(stage)
    if (stage === 'queue' && rejection.reason === 'closing') this.#program.toldOfGrace()
    this.#rejected = `${rejection.reason} ${stage}`
  }

  /** Where this arrival ended, in the words of the accounts; undefined while it waits or runs. */
  ending(): string | undefined {
    if (this.permit === undefined) return this.left ? 'cancelled' : this.#rejected
    if (!this.permit.ended) return undefined
    // A permit that ended before its caller got to see it was ended by the observer.
    return this.endedAs === undefined || this.endedAs === 'settled' ? this.permit.outcome : this.endedAs
  }

  checkOver(): void {
    expect(this.ending(), 'an arrival without an end').toBeDefined()
    if (this.ticket !== undefined) expect(this.told, 'told once, or gone').toBe(this.left ? 0 : 1)
  }

  #isTold(): void {
    this.told++
    expect(this.told, 'told twice').toBe(1)
    expect(this.left, 'told after it had left').toBe(false)
  }
}

function pick(accounts: ReturnType<Door['snapshot']>): Record<string, number> {
  const { offered, running, waiting, success, ignored, dropped, reclaimed, cancelled, rejected } = accounts
  const flat: Record<string, number> = { offered, running, waiting, success, ignored, dropped, reclaimed, cancelled }
  for (const reason of reasons) {
    flat[`${reason} door`] = rejected[reason].door
    flat[`${reason} queue`] = rejected[reason].queue
  }
  return flat
}

function at<T>(items: readonly T[], index: number): T | undefined {
  return items[index % items.length]
}
