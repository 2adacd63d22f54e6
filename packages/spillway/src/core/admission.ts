// The door: decides on every arrival, lets it wait, hands out permits and hands freed slots on. The only file that
// branches on the state of the service, and all of it is synchronous:
//
//   offer → closing? → quota? → too late to finish? → room? → permit → work → settle
//                                                   → else wait, bounded → handed over | expired | left
//
// Cheap checks come first. The clock is read once per transition. A freed slot goes to the next in line before anyone
// new can take it.

import { type Arrival, checkArrival, plainArrival } from './arrival.ts'
import { assert } from './assert.ts'
import { BackOff, wholeMs } from './back-off.ts'
import { criticalityDefault } from './criticality.ts'
import { type Deadline, deadlineAfter } from './deadline.ts'
import { type Decision, type Reason, Rejection, type Stage } from './decision.ts'
import { Drain, type DrainResult } from './drain.ts'
import type { Limiter } from './limiter.ts'
import { type Ending, GuardedObserver } from './observer.ts'
import type { AdmissionParts } from './parts.ts'
import { Permit, type PermitOwner } from './permit.ts'
import type { Quota, QuotaAnswer } from './quota.ts'
import type { Runtime } from './runtime.ts'
import type { Outcome } from './sample.ts'
import { type ServiceTime, ServiceTimes } from './service-times.ts'
import { type AdmissionSnapshot, Tally } from './tally.ts'
import type { Ticket, TicketOwner, Waiter } from './ticket.ts'
import { WaitingRoom } from './waiting-room.ts'
import { Watchdog } from './watchdog.ts'

// The door lets in who is expected to wait up to this share of the longest wait. At 1 half of those at the end of a full
// queue are refused after the whole wait, which is what waiting rooms must not do; at a half bursts are cut short.
const WAIT_SHARE = 0.8

export class Admission implements PermitOwner, TicketOwner {
  protected readonly tally = new Tally()
  readonly #parts: AdmissionParts
  readonly #limiter: Limiter
  readonly #room: WaitingRoom
  readonly #observer: GuardedObserver | undefined
  readonly #runtime: Runtime
  readonly #serviceTimes: ServiceTimes
  readonly #watchdog: Watchdog
  readonly #backOff: BackOff
  // Units of cost in flight. Admission never takes it above the limit; a lowered limit may leave it above for a while.
  #inFlight = 0
  #limitSeen: number
  #handingOver = false
  #drain: Drain | undefined

  constructor(parts: AdmissionParts, runtime: Runtime) {
    this.#parts = parts
    this.#limiter = parts.limiter
    this.#observer = parts.observer && new GuardedObserver(parts.observer, (error) => this.#onCallbackError(error))
    this.#runtime = runtime
    this.#serviceTimes = new ServiceTimes(parts.classesMax)
    const expire = (ticket: Ticket, now: number): void => this.#onExpired(ticket, now)
    this.#room = new WaitingRoom(parts.discipline, parts.waitMaxMs, expire, runtime)
    this.#watchdog = new Watchdog(
      parts.permitAgeMaxMs,
      (permit, now) => this.#finish(permit, 'reclaimed', now),
      runtime,
    )
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

  /** Monotonic time of the door's runtime, ms. */
  now(): number {
    return this.#runtime.now()
  }

  /**
   * Sets the concurrency limit. New work meets it at once: waiters start when it rises; when it falls below what is in
   * flight, nothing starts until enough has ended.
   */
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
    const deadline = deadlineAfter(now, arrival.deadlineMs ?? this.#parts.deadlineMs)
    if (this.#drain !== undefined) return this.#reject('closing', 'door', arrival, deadline, now)
    const quota = this.#parts.quota
    if (quota === undefined) return this.#decide(arrival, waiter, deadline, now, false)
    if (arrival.key !== undefined) return this.#askQuota(quota, arrival.key, arrival, waiter, deadline, now)
    this.tally.unkeyed++
    return this.#decide(arrival, waiter, deadline, now, false)
  }

  /**
   * Stops admitting. What waits is served, what runs may end; after `graceMs` whoever still waits is refused (`closing`).
   * Calls back once, when nothing runs or waits any more or the grace period is over. Called again, it joins.
   */
  close(graceMs: number, whenOver: (result: DrainResult) => void): void {
    this.#drain ??= new Drain(graceMs, () => this.#onGraceOver(), this.#runtime)
    this.#drain.whenOver(whenOver)
    this.#endDrainWhenIdle()
  }

  /** All accounts of the door at this instant, as plain data. */
  snapshot(): AdmissionSnapshot {
    const { limit, inFlight, waiting, closing } = this
    const running = this.#watchdog.running
    return this.tally.snapshot({ limit, inFlight, running, waiting, closing })
  }

  #decide(arrival: Arrival, waiter: Waiter | undefined, deadline: Deadline, now: number, charged: boolean): Decision {
    const cost = arrival.cost ?? 1
    const serviceTime = this.#serviceTimes.of(arrival.class)
    const verdict = this.#verdict(cost, deadline - now, serviceTime)
    if (verdict === 'run') return this.#admit(arrival, serviceTime, deadline, now, 0)
    if (verdict === 'wait' && waiter !== undefined) {
      const ticket = this.#room.ticket(arrival, waiter, deadline, now, serviceTime, charged, this)
      if (this.#enqueue(ticket, now)) return ticket
    }
    if (charged) this.#refund(arrival)
    return this.#reject(verdict === 'wait' ? 'capacity' : verdict, 'door', arrival, deadline, now)
  }

  #verdict(cost: number, remainingMs: number, serviceTime: ServiceTime): 'run' | 'wait' | 'deadline' | 'capacity' {
    const leastMs = serviceTime.feasibleMs
    if (this.#hasRoom(cost)) return remainingMs > 0 && remainingMs >= leastMs ? 'run' : 'deadline'
    const waitMs = this.#estimateWaitMs()
    if (remainingMs <= 0 || waitMs + leastMs > remainingMs) return 'deadline'
    return waitMs > this.#room.waitMaxMs * WAIT_SHARE || cost > this.#limiter.limit ? 'capacity' : 'wait'
  }

  #hasRoom(cost: number): boolean {
    // Whoever waits goes first, also when a small newcomer would fit where a large waiter does not.
    return this.#inFlight + cost <= this.#limiter.limit && this.#room.inLine === 0
  }

  // Pollaczek–Khinchine: the work in service has its mean residual life to go; that and the work in front share the slots.
  #estimateWaitMs(): number {
    const { residualMs, msPerUnit } = this.#serviceTimes
    return (residualMs + this.#room.aheadCost * msPerUnit) / this.#limiter.limit
  }

  #admit(arrival: Arrival, serviceTime: ServiceTime, deadline: Deadline, now: number, waitedMs: number): Permit {
    const cost = arrival.cost ?? 1
    this.#inFlight += cost
    this.#backOff.countAdmitted()
    const criticality = arrival.criticality ?? criticalityDefault
    const permit = new Permit(
      arrival.class,
      criticality,
      cost,
      deadline,
      now,
      waitedMs,
      this.#inFlight,
      serviceTime,
      this,
    )
    this.#watchdog.add(permit)
    this.#observer?.admitted(permit)
    return permit
  }

  #reject(
    reason: Reason,
    stage: Stage,
    arrival: Arrival,
    deadline: Deadline,
    now: number,
    quotaRefillMs?: number,
  ): Rejection {
    this.tally.countRejected(reason, stage)
    this.#backOff.countRefused()
    const limit = this.#limiter.limit
    const waitMs = this.#hasRoom(1) ? 0 : wholeMs(this.#estimateWaitMs())
    // A request that was out of time, and one that can never fit, are not helped by another attempt.
    const hopeless =
      reason === 'deadline' || (reason === 'capacity' && arrival.cost !== undefined && arrival.cost > limit)
    const adviceMs = reason === 'quota' ? quotaRefillMs : hopeless ? undefined : this.#backOff.adviseMs()
    const remainingMs = -wholeMs(now - deadline)
    const rejection = new Rejection(reason, stage, limit, this.#inFlight, this.waiting, waitMs, remainingMs, adviceMs)
    this.#observer?.rejected(rejection, arrival)
    return rejection
  }

  // False when the discipline does not let it in. Whoever it displaces is refused.
  #enqueue(ticket: Ticket, now: number): boolean {
    const displaced = this.#room.enqueue(ticket, now)
    if (displaced === ticket) return false
    this.#observer?.enqueued(ticket)
    if (displaced !== undefined) this.#refuse(displaced, 'capacity', now)
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

  #refuse(ticket: Ticket, reason: Reason, now: number, quotaRefillMs?: number): void {
    if (ticket.charged) this.#refund(ticket.arrival)
    const rejection = this.#reject(reason, 'queue', ticket.arrival, ticket.deadline, now, quotaRefillMs)
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
    let now = start
    for (let next = this.#room.peek(); next !== undefined; next = this.#room.peek()) {
      const limit = this.#limiter.limit
      const reason = this.#tooLate(next, now) ?? (next.cost > limit ? 'capacity' : undefined)
      if (reason === undefined && this.#inFlight + next.cost > limit) break
      this.#room.takeOut(next)
      if (reason === undefined) this.#start(next, now)
      else this.#refuse(next, reason, now)
      now = this.#runtime.now()
    }
    this.#handingOver = false
    this.#endDrainWhenIdle()
  }

  // Checked again at the hand-over: a timer may be late because the loop was busy, and nobody may run for nobody (C45).
  #tooLate(ticket: Ticket, now: number): Reason | undefined {
    if (ticket.at <= now) return this.#room.expiryReason(ticket)
    return ticket.deadline - now < ticket.serviceTime.feasibleMs ? 'deadline' : undefined
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
    this.#inFlight = this.#watchdog.running === 0 ? 0 : this.#inFlight - permit.cost
    assert(this.#inFlight >= 0, 'more came back than was in flight')
    this.tally.countEnding(permit, ending)
    if (ending !== 'reclaimed') {
      this.#serviceTimes.record(permit, ending === 'settled')
      this.#limiter.sample(permit)
    }
    this.#observer?.ended(permit, ending)
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
    for (let first = this.#room.mostUrgent(); first !== undefined; first = this.#room.mostUrgent()) {
      this.#room.takeOut(first)
      this.#refuse(first, 'closing', now)
    }
    this.#drain?.end(this.#watchdog.running)
  }

  #endDrainWhenIdle(): void {
    if (this.#watchdog.running === 0 && this.waiting === 0) this.#drain?.end(0)
  }

  #onCallbackError(error: unknown): void {
    this.tally.callbackErrors++
    this.#runtime.report(error)
  }

  #askQuota(
    quota: Quota,
    key: string,
    arrival: Arrival,
    waiter: Waiter | undefined,
    deadline: Deadline,
    now: number,
  ): Decision {
    const cost = arrival.cost ?? 1
    let ticket: Ticket | undefined
    const answer = quota.take(key, cost, (late) => {
      if (ticket !== undefined) this.#onQuotaAnswer(ticket, late)
      else if (late.allowed) quota.refund(key, cost) // Nobody could wait for it.
    })
    if (answer?.allowed) return this.#decide(arrival, waiter, deadline, now, true)
    if (answer !== undefined) return this.#reject('quota', 'door', arrival, deadline, now, refillMs(answer))
    if (waiter === undefined) return this.#reject('capacity', 'door', arrival, deadline, now)
    const serviceTime = this.#serviceTimes.of(arrival.class)
    ticket = this.#room.ticket(arrival, waiter, deadline, now, serviceTime, false, this)
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
    const verdict = answer.allowed
      ? (this.#tooLate(ticket, now) ?? this.#verdict(ticket.cost, ticket.deadline - now, ticket.serviceTime))
      : 'quota'
    if (verdict === 'run') this.#start(ticket, now)
    else if (verdict !== 'wait') this.#refuse(ticket, verdict, now, refillMs(answer))
    else if (!this.#enqueue(ticket, now)) this.#refuse(ticket, 'capacity', now)
  }

  #refund(arrival: Arrival): void {
    if (arrival.key !== undefined) this.#parts.quota?.refund(arrival.key, arrival.cost ?? 1)
  }
}

function refillMs(answer: QuotaAnswer): number | undefined {
  return answer.retryAfterMs === undefined ? undefined : wholeMs(answer.retryAfterMs)
}
