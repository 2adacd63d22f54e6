// What a request does at a service, step by step, ready to run: samplers made, callees looked up.

import type { KeyedDraws } from '../structures/keyed-draws.ts'
import { type Distribution, type Sampler, samplerOf } from '../workload/distribution.ts'
import type { RequestKind } from '../workload/mix.ts'
import type { AnswerCache } from './cache.ts'
import type { Client, Errand, Outcome, Pursuit } from './client.ts'
import type { Answer, Departure } from './contract.ts'
import type { Request } from './request.ts'
import type { ServiceBooks } from './service-books.ts'
import type { Visit } from './visit.ts'

/** One step. It goes on by calling a method of the visit. */
export interface StepRun {
  run(visit: Visit): void
}

/** Draws the work of requests at one place. */
class Draw {
  readonly #usual: Sampler
  readonly #byKind: ReadonlyMap<RequestKind, Sampler>
  readonly #draws: KeyedDraws
  readonly #redraws: boolean

  constructor(
    usual: Distribution,
    byKind: ReadonlyMap<RequestKind, Distribution>,
    draws: KeyedDraws,
    redraws: boolean,
  ) {
    this.#usual = samplerOf(usual)
    this.#byKind = new Map([...byKind].map(([kind, distribution]) => [kind, samplerOf(distribution)]))
    this.#draws = draws
    this.#redraws = redraws
  }

  of({ request, attempt }: Visit['attempt']): number {
    this.#draws.seek(request.index, this.#redraws ? attempt : 0)
    const sampler = this.#byKind.size === 0 ? this.#usual : (this.#byKind.get(request.kind) ?? this.#usual)
    return sampler.sample(this.#draws) * request.workFactor
  }
}

export class WorkStep implements StepRun {
  readonly #draw: Draw

  constructor(
    usual: Distribution,
    byKind: ReadonlyMap<RequestKind, Distribution>,
    draws: KeyedDraws,
    redraws: boolean,
  ) {
    this.#draw = new Draw(usual, byKind, draws, redraws)
  }

  run(visit: Visit): void {
    visit.work(this.#draw.of(visit.attempt))
  }
}

/** The work of a health check. */
export class ProbeStep implements StepRun {
  readonly #workMs: number

  constructor(workMs: number) {
    this.#workMs = workMs
  }

  run(visit: Visit): void {
    visit.work(this.#workMs)
  }
}

export class WaitStep implements StepRun {
  readonly #sampler: Sampler
  readonly #draws: KeyedDraws
  readonly #redraws: boolean

  constructor(lengthMs: Distribution, draws: KeyedDraws, redraws: boolean) {
    this.#sampler = samplerOf(lengthMs)
    this.#draws = draws
    this.#redraws = redraws
  }

  run(visit: Visit): void {
    const { request, attempt } = visit.attempt
    this.#draws.seek(request.index, this.#redraws ? attempt : 0)
    visit.pause(this.#sampler.sample(this.#draws))
  }
}

export interface CallOptions {
  readonly share: number
  readonly classes: readonly string[] | undefined
  readonly optional: boolean
}

/** Calls one or several services, perhaps only for what the cache does not know. */
export class CallStep implements StepRun {
  readonly #clients: readonly Client[]
  readonly #options: CallOptions
  readonly #cache: AnswerCache | undefined
  readonly #draws: KeyedDraws
  readonly #books: ServiceBooks

  constructor(
    clients: readonly Client[],
    options: CallOptions,
    cache: AnswerCache | undefined,
    draws: KeyedDraws,
    books: ServiceBooks,
  ) {
    this.#clients = clients
    this.#options = options
    this.#cache = cache
    this.#draws = draws
    this.#books = books
  }

  run(visit: Visit): void {
    const { request } = visit.attempt
    if (!this.#isMadeFor(request) || this.#isKnown(request)) {
      visit.pause(0)
      return
    }
    const join = new Join(visit, this.#clients.length, this.#options.optional, this.#cache)
    if (this.#cache?.join(request.key, join) === true) {
      visit.calls(join)
      return
    }
    visit.calls(join)
    join.start(this.#clients)
  }

  #isMadeFor(request: Request): boolean {
    const { share, classes } = this.#options
    if (classes !== undefined && (request.class === undefined || !classes.includes(request.class))) return false
    if (share >= 1) return true
    this.#draws.seek(request.index)
    return this.#draws.next() < share
  }

  #isKnown(request: Request): boolean {
    if (this.#cache === undefined) return false
    const hit = this.#cache.has(request.key)
    this.#books.cacheLookups++
    if (hit) this.#books.cacheHits++
    return hit
  }
}

/** Calls of one step that are out; the visit hears when all are answered, or the first that failed. */
export class Join implements Departure, Errand {
  readonly #visit: Visit
  readonly #optional: boolean
  readonly #cache: AnswerCache | undefined
  readonly #pursuits: Pursuit[] = []
  #left: number
  #over = false

  constructor(visit: Visit, count: number, optional: boolean, cache: AnswerCache | undefined) {
    this.#visit = visit
    this.#left = count
    this.#optional = optional
    this.#cache = cache
  }

  start(clients: readonly Client[]): void {
    const { leftMs } = this.#visit
    for (const client of clients) {
      if (this.#over) return
      this.#pursuits.push(client.pursue(this.#visit.attempt.request, leftMs, leftMs, this))
    }
    if (this.#over) this.#hangUp()
  }

  pursued(outcome: Outcome, reason: Answer | undefined): void {
    if (this.#over) return
    if (outcome === 'ok') {
      this.#left--
      if (this.#left === 0) this.#end('ok')
    } else this.#end(outcome === 'rejected' && reason !== undefined ? reason : 'failed')
  }

  /** Another one's call for the same key has ended. Called by the cache. */
  shared(answer: Answer): void {
    if (!this.#over) this.#tell(answer)
  }

  leave(): void {
    if (this.#over) return
    this.#over = true
    this.#hangUp()
    this.#cache?.abandoned(this.#visit.attempt.request.key, this)
  }

  #end(answer: Answer): void {
    this.#hangUp()
    this.#cache?.answered(this.#visit.attempt.request.key, this, answer)
    this.#tell(answer)
  }

  #tell(answer: Answer): void {
    this.#over = true
    this.#visit.heard(answer !== 'ok' && this.#optional ? 'ok' : answer)
  }

  // Those that are still out are not wanted any more; one that has ended does not mind.
  #hangUp(): void {
    for (const pursuit of this.#pursuits) pursuit.leave()
  }
}
