// The door: decides on every arrival, lets it wait, hands out permits and hands freed slots on. The only file that
// branches on the state of the service, and all of it is synchronous:
//
//   offer → closing? → quota? → too late to finish? → room? → permit → work → settle
//                                                   → else wait, bounded → handed over | expired | left
//
// Cheap checks come first; the clock is read once per transition.

import { type Arrival, checkArrival, plainArrival } from './arrival.ts'
import { assert } from './assert.ts'
import { BackOff, wholeMs } from './back-off.ts'
import { type Deadline, deadlineAfter } from './deadline.ts'
import { type Decision, type Reason, Rejection, type Stage } from './decision.ts'
import { checkGrace, Drain, type DrainResult } from './drain.ts'
import { type Limiter, teach } from './limiter.ts'
import { type Ending, GuardedObserver } from './observer.ts'
import type { AdmissionParts } from './parts.ts'
import { Permit, type PermitOwner } from './permit.ts'
import { GuardedQuota, type QuotaAnswer, refillMs, unmetered } from './quota.ts'
import type { Runtime } from './runtime.ts'
import type { Outcome } from './sample.ts'
import { type ServiceTime, ServiceTimes } from './service-times.ts'
import { type AdmissionSnapshot, Tally } from './tally.ts'
import type { Ticket, TicketOwner, Waiter } from './ticket.ts'
import { type Verdict, verdictWithoutRoom, verdictWithRoom } from './verdict.ts'
import { WaitingRoom } from './waiting-room.ts'
import { Watchdog } from './watchdog.ts'

// Sums of fractional costs are off by less than this, in units of cost; without it thirty costs of 1.1 do not fit into 33.
const ROUNDING = 1e-9

export class Admission implements PermitOwner, TicketOwner {
  protected readonly tally = new Tally()
  readonly #parts: AdmissionParts
  readonly #limiter: Limiter
  readonly #room: WaitingRoom
  readonly #observer: GuardedObserver | undefined
  readonly #quota: GuardedQuota | undefined
  readonly #runtime: Runtime
  readonly #serviceTimes: ServiceTimes
  readonly #watchdog: Watchdog
  readonly #backOff: BackOff
  // Units of cost in flight. Admission never takes it above the limit; a lowered limit may leave it above for a while.
  #inFlight = 0
  #limitSeen: number
  #handingOver = false
  #drain: Drain | undefined

  // What a user's code throws where nobody can be given it.
  readonly #onCallbackError = (error: unknown): void => {
    this.tally.callbackErrors++
    this.#runtime.report(error)
  }

  constructor(parts: AdmissionParts, runtime: Runtime) {
    this.#parts = parts
    this.#limiter = parts.limiter
    this.#observer = parts.observer && new GuardedObserver(parts.observer, this.#onCallbackError)
    this.#quota = parts.quota && new GuardedQuota(parts.quota, this.#onCallbackError)
    this.#runtime = runtime
    this.#serviceTimes = new ServiceTimes(parts.classesMax)
    const expire = (ticket: Ticket, now: number): void => this.#onExpired(ticket, now)
    this.#room = new WaitingRoom(parts.discipline, parts.waitMaxMs, expire, runtime)
    const reclaim = (permit: Permit, now: number): void => this.#finish(permit, 'reclaimed', now)
    this.#watchdog = new Watchdog(parts.permitAgeMaxMs, reclaim, runtime)
    this.#backOff = new BackOff(runtime.stream('retry-after'))
    this.#limitSeen = parts.limiter.limit
    parts.limiter.onChange(() => this.#onLimitChange())
  }

  /** The concurrency limit now, in units of cost. */
  get limit(): number {
    return this.#limiter.limit
  }

  /** Units of cost in flight. */
  get inFlight(): number {
    return this.#inFlight
  }

  /** Arrivals waiting. */
  get waiting(): number {
    return this.#room.size
  }

  /** Whether it has stopped admitting. */
  get closing(): boolean {
    return this.#drain !== undefined
  }

  /** Time left for work that names no deadline, ms. */
  get deadlineMs(): number {
    return this.#parts.deadlineMs
  }

  /** Whether one more arrival of cost 1 would have to wait. */
  get full(): boolean {
    return !this.#hasRoom(1)
  }

  /** Monotonic time, ms. */
  now(): number {
    return this.#runtime.now()
  }

  /** Sets the concurrency limit. New work meets it at once; what runs above a lowered one may end. */
  setLimit(limit: number): void {
    this.#limiter.setLimit(limit)
  }

  /**
   * Offers work and returns the decision at once: a permit to settle, a rejection, or, when a waiter was given, a ticket
   * whose waiter is told later how the wait ended. Without a waiter nothing waits.
   * Throws SPILLWAY_ARRIVAL_INVALID for a field that makes no sense; nothing is counted then.
   */
  offer(arrival: Arrival = plainArrival, waiter?: Waiter): Decision {
    checkArrival(arrival)
    const now = this.#runtime.now()
    this.tally.offered++
    if (arrival.attempt !== undefined && arrival.attempt > 1) this.tally.retries++
    const remainingMs = arrival.deadlineMs ?? this.#parts.deadlineMs
    if (this.#drain !== undefined) return this.#reject('closing', 'door', arrival, remainingMs)
    if (this.#quota === undefined) return this.#decide(arrival, waiter, remainingMs, now, false)
    // An empty key is none: all who send an empty header would share one bucket (case C75).
    if (arrival.key) return this.#askQuota(arrival.key, arrival, waiter, remainingMs, now)
    this.tally.unkeyed++
    return this.#decide(arrival, waiter, remainingMs, now, false)
  }

  /**
   * Stops admitting. What waits is served, what runs may end; after `graceMs` whoever still waits is refused (`closing`).
   * Calls back once, when nothing runs or waits any more or the grace period is over. Called again, it joins.
   * Throws SPILLWAY_OPTIONS_INVALID for a grace period that is no finite number of ms from 0 up.
   */
  close(graceMs: number, whenOver: (result: DrainResult) => void): void {
    checkGrace(graceMs)
    this.#drain ??= new Drain(graceMs, () => this.#onGraceOver(), this.#onCallbackError, this.#runtime)
    this.#drain.whenOver(whenOver)
    this.#endDrainWhenIdle()
  }

  /** All accounts of the door at this instant, as plain data. */
  snapshot(): AdmissionSnapshot {
    const { limit, inFlight, waiting, closing } = this
    return this.tally.snapshot({ limit, inFlight, running: this.#watchdog.running, waiting, closing })
  }

  // Refusals take the time left, not the deadline: a sum of two doubles would be the larger half of what they allocate.
  #decide(arrival: Arrival, waiter: Waiter | undefined, remainingMs: number, now: number, charged: boolean): Decision {
    const cost = arrival.cost ?? 1
    const serviceTime = this.#serviceTimes.of(arrival.class)
    const strict = this.#verdict(cost, remainingMs, serviceTime.feasibleMs)
    // What looks hopeless is tried now and then, where there is room for it: see ServiceTime.
    const bold = strict === 'deadline' ? this.#verdict(cost, remainingMs, 0) : strict
    const trial = bold !== strict && bold !== 'capacity' && serviceTime.tryAgain(now)
    const verdict = trial ? bold : strict
    if (verdict === 'run') return this.#admit(arrival, serviceTime, deadlineAfter(now, remainingMs), now, 0)
    if (verdict === 'wait' && waiter !== undefined && !this.#room.full) {
      const ticket = this.#room.ticket(arrival, waiter, remainingMs, now, serviceTime, charged, trial, this)
      if (this.#enqueue(ticket, now, true)) return ticket
    }
    if (charged) this.#refund(arrival)
    return this.#reject(verdict === 'wait' ? 'capacity' : verdict, 'door', arrival, remainingMs)
  }

  #verdict(cost: number, remainingMs: number, leastMs: number): Verdict {
    if (this.#hasRoom(cost)) return verdictWithRoom(remainingMs, leastMs)
    const verdict = verdictWithoutRoom(remainingMs, leastMs, this.#estimateWaitMs(), this.#room.waitMaxMs)
    return verdict === 'wait' && cost > this.#limiter.limit ? 'capacity' : verdict
  }

  #hasRoom(cost: number): boolean {
    // Whoever waits goes first, also when a small newcomer would fit where a large waiter does not.
    return this.#room.inLine === 0 && this.#fits(cost)
  }

  #fits(cost: number): boolean {
    return this.#inFlight + cost <= this.#limiter.limit + ROUNDING
  }

  #estimateWaitMs(): number {
    return this.#serviceTimes.waitMs(this.#room.aheadCost, this.#limiter.limit)
  }

  #admit(arrival: Arrival, serviceTime: ServiceTime, deadline: Deadline, now: number, waitedMs: number): Permit {
    this.#inFlight += arrival.cost ?? 1
    this.#backOff.countAdmitted()
    const permit = new Permit(arrival, deadline, now, waitedMs, this.#inFlight, serviceTime, this)
    this.#watchdog.add(permit)
    this.#observer?.admitted(permit)
    return permit
  }

  #reject(reason: Reason, stage: Stage, arrival: Arrival, remainingMs: number, refill?: number): Rejection {
    this.tally.countRejected(reason, stage)
    this.#backOff.countRefused()
    const limit = this.#limiter.limit
    const waitMs = this.#hasRoom(1) ? 0 : wholeMs(this.#estimateWaitMs())
    // A request that was out of time, and one that can never fit, are not helped by another attempt.
    const hopeless = reason === 'deadline' || (reason === 'capacity' && (arrival.cost ?? 1) > limit)
    const adviceMs = reason === 'quota' ? refill : hopeless ? undefined : this.#backOff.adviseMs()
    const leftMs = -wholeMs(-remainingMs)
    const rejection = new Rejection(reason, stage, limit, this.#inFlight, this.waiting, waitMs, leftMs, adviceMs)
    this.#observer?.rejected(rejection, arrival)
    return rejection
  }

  // False when the discipline does not let it in. Whoever it displaces is refused.
  #enqueue(ticket: Ticket, now: number, isNew: boolean): boolean {
    const displaced = this.#room.enqueue(ticket, now)
    if (displaced === ticket) return false
    if (this.#observer === undefined && displaced === undefined) return true
    // An observer may raise the limit or settle something. The newcomer must not be started for that before its own offer
    // has returned: nothing is handed over meanwhile, and what has become free is handed over later.
    const handingOver = this.#handingOver
    this.#handingOver = true
    if (isNew) this.#observer?.enqueued(ticket)
    if (displaced !== undefined) {
      // Told later: one that offers itself again at once might displace the newcomer, and so on without end.
      const rejection = this.#refusal(displaced, 'capacity', now)
      this.#runtime.defer(() => this.#tell(displaced, rejection))
    }
    this.#handingOver = handingOver
    const next = this.#room.peek()
    if (!handingOver && next !== undefined && (this.#fits(next.cost) || next.cost > this.limit))
      this.#runtime.defer(() => this.#handOver(this.#runtime.now()))
    return true
  }

  /** A ticket's caller has gone. Called by the ticket. */
  leave(ticket: Ticket): boolean {
    if (ticket.state === 'ended') return false
    this.#room.takeOut(ticket)
    if (ticket.charged) this.#refund(ticket.arrival)
    this.tally.cancelled++
    this.#observer?.left(ticket)
    // A large one that left may have stood before smaller ones that fit (case C06).
    this.#handOver(this.#runtime.now())
    return true
  }

  #refuse(ticket: Ticket, reason: Reason, now: number, refill?: number): void {
    this.#tell(ticket, this.#refusal(ticket, reason, now, refill))
  }

  #refusal(ticket: Ticket, reason: Reason, now: number, refill?: number): Rejection {
    if (ticket.charged) this.#refund(ticket.arrival)
    return this.#reject(reason, 'queue', ticket.arrival, ticket.deadline - now, refill)
  }

  #tell(ticket: Ticket, rejection: Rejection): void {
    try {
      ticket.waiter.rejected(rejection)
    } catch (error) {
      this.#onCallbackError(error)
    }
  }

  #onExpired(ticket: Ticket, now: number): void {
    this.#room.takeOut(ticket)
    this.#refuse(ticket, this.#room.expiryReason(ticket), now)
    this.#handOver(now)
  }

  // Gives free slots to those in line. Work that ends inside its own start comes back here: the loop below, already
  // running, takes care of it, so that the stack does not grow with the queue.
  #handOver(start: number): void {
    if (this.#handingOver) return
    this.#handingOver = true
    try {
      let now = start
      for (let next = this.#room.peek(); next !== undefined; next = this.#room.peek()) {
        const reason = this.#tooLate(next, now) ?? (next.cost > this.#limiter.limit ? 'capacity' : undefined)
        if (reason === undefined && !this.#fits(next.cost)) break
        this.#room.takeOut(next)
        if (reason === undefined) this.#start(next, now)
        else this.#refuse(next, reason, now)
        now = this.#runtime.now()
      }
    } finally {
      // Whatever went wrong, a door that believes it is handing over would never hand over again.
      this.#handingOver = false
    }
    this.#endDrainWhenIdle()
  }

  // Checked again at the hand-over: a timer may be late because the loop was busy, and nobody may run for nobody (C45).
  #tooLate(ticket: Ticket, now: number): Reason | undefined {
    if (ticket.at <= now) return this.#room.expiryReason(ticket)
    return !ticket.trial && ticket.deadline - now < ticket.serviceTime.feasibleMs ? 'deadline' : undefined
  }

  #start(ticket: Ticket, now: number): void {
    const permit = this.#admit(ticket.arrival, ticket.serviceTime, ticket.deadline, now, now - ticket.offeredAt)
    try {
      ticket.waiter.admitted(permit)
    } catch (error) {
      if (!permit.ended) permit.settle('ignored')
      this.#onCallbackError(error)
    }
  }

  /** A permit is settled or its caller has gone. Called by the permit. */
  end(permit: Permit, outcome: Outcome, cancelled: boolean): boolean {
    if (permit.ended) {
      this.tally.lateSettles++
      return false
    }
    permit.outcome = outcome
    this.#finish(permit, cancelled ? 'cancelled' : 'settled', this.#runtime.now())
    return true
  }

  #finish(permit: Permit, ending: Ending, now: number): void {
    permit.ended = true
    permit.endedAt = now
    this.#watchdog.remove(permit)
    const inFlight = this.#watchdog.running === 0 ? 0 : this.#inFlight - permit.cost
    assert(inFlight >= -ROUNDING, 'more came back than was in flight')
    this.#inFlight = Math.max(0, inFlight)
    this.tally.countEnding(permit, ending)
    // Told before the limiter learns: it may raise the limit, and then others start at once.
    this.#observer?.ended(permit, ending)
    if (ending !== 'reclaimed') {
      this.#serviceTimes.record(permit, ending === 'settled')
      teach(this.#limiter, permit, this.#onCallbackError)
    }
    if (this.#room.inLine > 0) this.#handOver(now)
    else if (this.#drain !== undefined) this.#endDrainWhenIdle()
  }

  #onLimitChange(): void {
    const previous = this.#limitSeen
    this.#limitSeen = this.#limiter.limit
    this.#observer?.limitChanged(this.#limitSeen, previous)
    this.#handOver(this.#runtime.now())
  }

  #onGraceOver(): void {
    const now = this.#runtime.now()
    // Whoever is refused may settle something: nothing more is started for that.
    this.#handingOver = true
    for (let first = this.#room.mostUrgent(); first !== undefined; first = this.#room.mostUrgent()) {
      this.#room.takeOut(first)
      this.#refuse(first, 'closing', now)
    }
    this.#handingOver = false
    this.#drain?.end(this.#watchdog.running)
  }

  #endDrainWhenIdle(): void {
    if (this.#watchdog.running === 0 && this.waiting === 0) this.#drain?.end(0)
  }

  #askQuota(key: string, arrival: Arrival, waiter: Waiter | undefined, remainingMs: number, now: number): Decision {
    let ticket: Ticket | undefined
    const onAnswer = (late: QuotaAnswer): void => {
      if (ticket !== undefined) this.#onQuotaAnswer(ticket, late)
      else if (late.allowed) this.#refund(arrival) // Nobody could wait for it.
    }
    const answer = this.#quota?.take(key, arrival.cost ?? 1, onAnswer)
    if (answer?.allowed) return this.#decide(arrival, waiter, remainingMs, now, answer !== unmetered)
    if (answer !== undefined) return this.#reject('quota', 'door', arrival, remainingMs, refillMs(answer))
    if (waiter === undefined) return this.#reject('capacity', 'door', arrival, remainingMs)
    const serviceTime = this.#serviceTimes.of(arrival.class)
    const trial = remainingMs > 0 && serviceTime.feasibleMs > remainingMs && serviceTime.tryAgain(now)
    const asking = this.#room.ticket(arrival, waiter, remainingMs, now, serviceTime, false, trial, this)
    if (asking.at <= now) return this.#reject(this.#room.expiryReason(asking), 'door', arrival, remainingMs)
    ticket = asking
    this.#room.ask(ticket, now)
    this.#observer?.enqueued(ticket)
    return ticket
  }

  #onQuotaAnswer(ticket: Ticket, answer: QuotaAnswer): void {
    if (ticket.state !== 'quota') {
      // It expired, or its caller left, while the store was thinking.
      if (answer.allowed) this.#refund(ticket.arrival)
      return
    }
    const now = this.#runtime.now()
    this.#room.takeOut(ticket)
    ticket.charged = answer.allowed
    const verdict = answer.allowed ? (this.#tooLate(ticket, now) ?? this.#verdictOf(ticket, now)) : 'quota'
    if (verdict === 'run') this.#start(ticket, now)
    else if (verdict !== 'wait') this.#refuse(ticket, verdict, now, refillMs(answer))
    else if (!this.#enqueue(ticket, now, false)) this.#refuse(ticket, 'capacity', now)
    this.#endDrainWhenIdle()
  }

  #verdictOf({ cost, deadline, trial, serviceTime }: Ticket, now: number): Verdict {
    return this.#verdict(cost, deadline - now, trial ? 0 : serviceTime.feasibleMs)
  }

  #refund({ key, cost }: Arrival): void {
    if (key !== undefined) this.#quota?.refund(key, cost ?? 1)
  }
}
