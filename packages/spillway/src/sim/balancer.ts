// Chooses an instance for each call. Least connections is what falls for a sinkhole: an instance that fails at once always
// has the fewest calls out, and gets them all, unless failing instances are taken out for a while.

import type { RandomStream } from '../core/runtime.ts'
import type { Answer, Attempt, Callee, Caller, Departure } from './contract.ts'
import type { Instance } from './instance.ts'
import type { EjectionPlan, FleetPlan } from './scenario.ts'
import type { ServiceBooks } from './service-books.ts'
import type { World } from './world.ts'

const nobody: Departure = { leave: () => {} }
const EJECTED_SHARE_MAX = 0.5

/** An instance as the balancer sees it. */
class Backend {
  readonly instance: Instance
  out = 0
  failuresInRow = 0
  ejectedUntil = 0

  constructor(instance: Instance) {
    this.instance = instance
  }
}

export class Balancer implements Callee {
  readonly #kind: NonNullable<FleetPlan['balancer']>
  readonly #ejection: EjectionPlan | undefined
  readonly #books: ServiceBooks
  readonly #world: World
  readonly #random: RandomStream
  #backends: readonly Backend[] = []
  #turn = 0

  constructor(
    name: string,
    plan: FleetPlan | undefined,
    ejection: EjectionPlan | undefined,
    books: ServiceBooks,
    world: World,
  ) {
    this.#kind = plan?.balancer ?? 'round-robin'
    this.#ejection = ejection
    this.#books = books
    this.#world = world
    this.#random = world.stream(`balancer/${name}`)
  }

  /** These serve from now on. What is known of those that stay is kept. */
  setInstances(instances: readonly Instance[]): void {
    const known = new Map(this.#backends.map((backend) => [backend.instance, backend]))
    this.#backends = instances.map((instance) => known.get(instance) ?? new Backend(instance))
  }

  call(attempt: Attempt, caller: Caller): Departure {
    const backend = this.#choose(this.#candidates())
    if (backend === undefined) {
      this.#books.dropped++
      this.#books.answered++
      caller.answered('failed', undefined)
      return nobody
    }
    const route = new Route(backend, this, caller)
    route.start(attempt)
    return route
  }

  /** A call has ended. Called by its route. */
  ended(backend: Backend, answer: Answer): void {
    backend.failuresInRow = answer === 'failed' ? backend.failuresInRow + 1 : 0
    const { failuresMax, forMs, shareMax = EJECTED_SHARE_MAX } = this.#ejection ?? { failuresMax: Infinity, forMs: 0 }
    if (backend.failuresInRow < failuresMax) return
    const now = this.#world.now()
    const ejected = this.#backends.filter(({ ejectedUntil }) => ejectedUntil > now).length
    if (backend.ejectedUntil > now || ejected + 1 > this.#backends.length * shareMax) return
    backend.ejectedUntil = now + forMs
    backend.failuresInRow = 0
    this.#books.ejections++
  }

  #candidates(): readonly Backend[] {
    if (this.#ejection === undefined) return this.#backends
    const now = this.#world.now()
    const fit = this.#backends.filter(({ ejectedUntil }) => ejectedUntil <= now)
    return fit.length > 0 ? fit : this.#backends
  }

  #choose(backends: readonly Backend[]): Backend | undefined {
    const count = backends.length
    if (count < 2) return backends[0]
    const first = this.#turn++ % count
    if (this.#kind === 'round-robin') return backends[first]
    if (this.#kind === 'power-of-two') return this.#betterOfTwo(backends)
    // Starts somewhere else each time, so that equals take turns.
    let best = backends[first] as Backend
    for (let step = 1; step < count; step++) {
      const next = backends[(first + step) % count] as Backend
      if (next.out < best.out) best = next
    }
    return best
  }

  #betterOfTwo(backends: readonly Backend[]): Backend {
    const first = Math.floor(this.#random.next() * backends.length)
    const step = 1 + Math.floor(this.#random.next() * (backends.length - 1))
    const a = backends[first] as Backend
    const b = backends[(first + step) % backends.length] as Backend
    return b.out < a.out ? b : a
  }
}

/** One call through the balancer. */
class Route implements Caller, Departure {
  readonly #backend: Backend
  readonly #balancer: Balancer
  readonly #caller: Caller
  #departure: Departure = nobody

  constructor(backend: Backend, balancer: Balancer, caller: Caller) {
    this.#backend = backend
    this.#balancer = balancer
    this.#caller = caller
  }

  start(attempt: Attempt): void {
    this.#backend.out++
    this.#departure = this.#backend.instance.call(attempt, this)
  }

  answered(answer: Answer, retryAfterMs: number | undefined): void {
    this.#backend.out--
    this.#balancer.ended(this.#backend, answer)
    this.#caller.answered(answer, retryAfterMs)
  }

  leave(): void {
    this.#backend.out--
    this.#departure.leave()
  }
}
