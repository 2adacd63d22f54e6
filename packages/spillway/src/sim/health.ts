// Checks that restart instances which do not answer in time. Where a check waits behind the requests, overload looks like
// illness: the orchestrator kills instances that are merely busy, and their load falls on the others.

import { VirtualTimer } from '../runtime/virtual.ts'
import { type Answer, Attempt, type Caller, type Departure } from './contract.ts'
import type { Fleet } from './fleet.ts'
import type { Instance } from './instance.ts'
import type { LoopTarget } from './process.ts'
import { Request } from './request.ts'
import type { HealthPlan } from './scenario.ts'
import type { CallerBook } from './service-books.ts'

export class HealthChecks {
  readonly plan: HealthPlan
  readonly fleet: Fleet
  readonly book: CallerBook

  constructor(plan: HealthPlan, fleet: Fleet) {
    this.plan = plan
    this.fleet = fleet
    this.book = fleet.books.newCaller()
  }

  /** Checks an instance for as long as it serves. */
  watch(instance: Instance): void {
    // Spread over the period, so that a fleet is not checked, and killed, all at once.
    const delayMs = ((instance.number % 7) / 7) * this.plan.everyMs
    this.fleet.world.start(new VirtualTimer(new Watch(instance, this), true), delayMs)
  }
}

/** The checks of one instance, one after the other. */
class Watch implements Caller, LoopTarget {
  readonly #instance: Instance
  readonly #checks: HealthChecks
  readonly #timer = new VirtualTimer(this, true)
  #misses = 0
  #check = 0
  #out = false
  #departure: Departure | undefined

  constructor(instance: Instance, checks: HealthChecks) {
    this.#instance = instance
    this.#checks = checks
  }

  due(): void {
    if (!this.#instance.serving) return
    if (this.#out) this.#onTimeout()
    else this.#ask()
  }

  answered(answer: Answer): void {
    this.#checks.book.answered++
    if (answer === 'ok') this.#onHealthy()
  }

  /** The process has seen a check that does not wait behind the requests. */
  happen(check: number): void {
    if (this.#out && check === this.#check) this.#onHealthy()
  }

  #ask(): void {
    const { plan, fleet, book } = this.#checks
    this.#out = true
    fleet.books.checksAsked++
    fleet.world.start(this.#timer, plan.timeoutMs)
    if (plan.sharesQueue) {
      book.sent++
      const departure = this.#instance.call(probeAttempt(fleet.world.now(), plan.timeoutMs), this)
      if (this.#out) this.#departure = departure
    } else this.#instance.process.deliver(this, ++this.#check)
  }

  #onHealthy(): void {
    this.#misses = 0
    this.#next()
  }

  #onTimeout(): void {
    const { plan, fleet, book } = this.#checks
    fleet.books.checksFailed++
    this.#misses++
    if (this.#departure !== undefined) {
      book.left++
      this.#departure.leave()
    }
    if (this.#misses >= plan.missesMax) fleet.restart(this.#instance)
    else this.#next()
  }

  #next(): void {
    const { plan, fleet } = this.#checks
    const spentMs = fleet.world.now() - (this.#timer.at - plan.timeoutMs)
    this.#out = false
    this.#departure = undefined
    fleet.world.stop(this.#timer)
    if (this.#instance.serving) fleet.world.start(this.#timer, Math.max(0, plan.everyMs - spentMs))
  }
}

function probeAttempt(now: number, timeoutMs: number): Attempt {
  const request = new Request(-1, now, {}, 'health', undefined, 'critical-plus', timeoutMs, 0, 1, -1, undefined)
  return new Attempt(request, 1, timeoutMs)
}
