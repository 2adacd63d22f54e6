// Callers: how many attempts, how long each may take, when another is made, when it is given up. The same for people who
// call a service from outside and for services that call each other.

import { VirtualTimer } from '../runtime/virtual.ts'
import type { KeyedDraws } from '../structures/keyed-draws.ts'
import { power } from '../structures/portable-math.ts'
import { type Sampler, samplerOf } from '../workload/distribution.ts'
import { type Answer, Attempt, type Callee, type Caller, type Departure, isRefusal } from './contract.ts'
import type { Request } from './request.ts'
import { RetryBudget } from './retry-budget.ts'
import type { BackOffPlan, ClientPlan } from './scenario.ts'
import type { CallerBook } from './service-books.ts'
import type { World } from './world.ts'

/** How a request ended for its client: answered, or the way in which its last attempt failed. */
export type Outcome = 'ok' | 'timeout' | 'failed' | 'rejected'

/** Who wants a request done. */
export interface Errand {
  /** It has ended, once. `reason` is the last answer. */
  pursued(outcome: Outcome, reason: Answer | undefined): void
}

/** Is told of every attempt; for what is measured. */
export interface AttemptObserver {
  sent(request: Request, attempt: number, now: number): void
  refused(request: Request, reason: Answer, tookMs: number, now: number): void
}

export class Client {
  readonly plan: ClientPlan
  readonly callee: Callee
  readonly world: World
  readonly observer: AttemptObserver | undefined
  readonly budget: RetryBudget | undefined
  readonly book: CallerBook
  readonly attemptsMax: number
  readonly #jitter: KeyedDraws
  readonly #patience: Sampler | undefined

  /** `name` sets its random numbers apart from those of other clients. */
  constructor(
    name: string,
    plan: ClientPlan,
    callee: Callee,
    book: CallerBook,
    world: World,
    observer?: AttemptObserver,
  ) {
    this.plan = plan
    this.callee = callee
    this.book = book
    this.world = world
    this.observer = observer
    this.budget = plan.retryBudget && new RetryBudget(plan.retryBudget)
    this.attemptsMax = plan.attempts ?? 1
    this.#jitter = world.keyed(`client/${name}`)
    this.#patience = plan.patienceMs && samplerOf(plan.patienceMs)
  }

  /** Begins to pursue a request. `timeoutMs` is for plans that have none; nothing is wanted any more after `withinMs`. */
  pursue(request: Request, timeoutMs: number, withinMs: number, errand: Errand): Pursuit {
    this.budget?.earn()
    const now = this.world.now()
    let giveUpAt = now + Math.min(withinMs, this.plan.overallMs ?? Infinity)
    if (this.#patience !== undefined) {
      this.#jitter.seek(request.index, 0)
      giveUpAt = Math.min(giveUpAt, now + this.#patience.sample(this.#jitter))
    }
    const pursuit = new Pursuit(this, request, this.plan.timeoutMs ?? timeoutMs, giveUpAt, errand)
    pursuit.send(now)
    return pursuit
  }

  /** Pause before attempt number `next`, ms. */
  pauseMs(request: Request, next: number, retryAfterMs: number | undefined): number {
    const plan: BackOffPlan = this.plan.backOff ?? { kind: 'none' }
    const advisedMs = this.plan.heedsRetryAfter === true ? (retryAfterMs ?? 0) : 0
    if (plan.kind === 'none') return advisedMs
    this.#jitter.seek(request.index, next)
    const drawn = this.#jitter.next()
    if (plan.kind === 'fixed') return Math.max(advisedMs, plan.ms * (1 + (plan.jitter ?? 0) * (2 * drawn - 1)))
    const grownMs = plan.baseMs * power(plan.factor ?? 2, next - 2)
    const mostMs = Math.min(plan.maxMs ?? Infinity, grownMs)
    const { jitter = 'full' } = plan
    return Math.max(advisedMs, mostMs * (jitter === 'full' ? drawn : 1 + jitter * (2 * drawn - 1)))
  }
}

/** One request as its client pursues it: an attempt is out, or the next one is waited for, or it has ended. */
export class Pursuit implements Caller {
  readonly #client: Client
  readonly #request: Request
  readonly #timeoutMs: number
  readonly #giveUpAt: number
  readonly #errand: Errand
  // Fires when the attempt that is out takes too long, or when the next one may be made.
  readonly #timer = new VirtualTimer(this)
  #attempts = 0
  #sentAt = 0
  #out = false
  #attempt: Attempt | undefined
  #departure: Departure | undefined

  constructor(client: Client, request: Request, timeoutMs: number, giveUpAt: number, errand: Errand) {
    this.#client = client
    this.#request = request
    this.#timeoutMs = timeoutMs
    this.#giveUpAt = giveUpAt
    this.#errand = errand
  }

  send(now: number): void {
    const { world, observer, book, callee, plan } = this.#client
    const number = ++this.#attempts
    const leftMs = Math.min(this.#timeoutMs, this.#giveUpAt - now)
    this.#sentAt = now
    this.#out = true
    this.#departure = undefined
    book.sent++
    observer?.sent(this.#request, number, now)
    if (leftMs < Infinity) world.start(this.#timer, leftMs)
    const told = plan.tellsDeadline === false || leftMs === Infinity ? undefined : leftMs
    const attempt = new Attempt(this.#request, number, told)
    this.#attempt = attempt
    const departure = callee.call(attempt, this)
    // The answer may have come already, and another attempt may be out.
    if (this.#out && this.#attempts === number) this.#departure = departure
  }

  answered(answer: Answer, retryAfterMs: number | undefined): void {
    const { world, observer, book } = this.#client
    const now = world.now()
    this.#out = false
    this.#departure = undefined
    book.answered++
    world.stop(this.#timer)
    if (answer === 'ok') this.#errand.pursued('ok', answer)
    else if (isRefusal(answer)) {
      observer?.refused(this.#request, answer, now - this.#sentAt, now)
      this.#retryOrEnd('rejected', answer, retryAfterMs, now)
    } else this.#retryOrEnd('failed', answer, undefined, now)
  }

  due(): void {
    const now = this.#client.world.now()
    if (!this.#out) {
      this.send(now)
      return
    }
    this.#hangUp()
    this.#retryOrEnd('timeout', undefined, undefined, now)
  }

  /** Whoever wanted it does not any more. Nobody is told. */
  leave(): void {
    this.#client.world.stop(this.#timer)
    if (this.#out) this.#hangUp()
  }

  #hangUp(): void {
    this.#out = false
    this.#client.book.left++
    if (this.#attempt !== undefined) this.#attempt.abandoned = true
    this.#departure?.leave()
    this.#departure = undefined
  }

  #retryOrEnd(
    outcome: 'timeout' | 'failed' | 'rejected',
    answer: Answer | undefined,
    advised: number | undefined,
    now: number,
  ): void {
    const { world, attemptsMax, plan, budget } = this.#client
    const next = this.#attempts + 1
    if (next <= attemptsMax && (plan.retryOn?.includes(outcome) ?? true)) {
      const pauseMs = this.#client.pauseMs(this.#request, next, advised)
      if (now + pauseMs < this.#giveUpAt && (budget === undefined || budget.spend())) {
        if (pauseMs > 0) world.start(this.#timer, pauseMs)
        else this.send(now)
        return
      }
    }
    this.#errand.pursued(outcome, answer)
  }
}
