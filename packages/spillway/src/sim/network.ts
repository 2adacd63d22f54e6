// The way between callers and a service: a delay in each direction. A caller who leaves is heard of one delay later, and a
// request that is on its way when its caller leaves arrives all the same.

import { type Due, VirtualTimer } from '../runtime/virtual.ts'
import type { KeyedDraws } from '../structures/keyed-draws.ts'
import { type Distribution, type Sampler, samplerOf } from '../workload/distribution.ts'
import type { Answer, Attempt, Callee, Caller, Departure } from './contract.ts'
import type { World } from './world.ts'

export class Network implements Callee {
  readonly world: World
  readonly callee: Callee
  readonly #delay: Sampler
  readonly #draws: KeyedDraws
  /** Calls that have not arrived yet, answers that have not, and answers nobody was there to hear. */
  onTheWay = 0
  onTheWayBack = 0
  unheard = 0

  constructor(name: string, delayMs: Distribution, callee: Callee, world: World) {
    this.world = world
    this.callee = callee
    this.#delay = samplerOf(delayMs)
    this.#draws = world.keyed(`network/${name}`)
  }

  call(attempt: Attempt, caller: Caller): Departure {
    const crossing = new Crossing(this, attempt, caller)
    crossing.start()
    return crossing
  }

  delayMs({ request, attempt }: Attempt, way: number): number {
    this.#draws.seek(request.index, 4 * attempt + way)
    return this.#delay.sample(this.#draws)
  }
}

class Crossing implements Caller, Departure, Due {
  readonly #network: Network
  readonly #attempt: Attempt
  readonly #caller: Caller
  readonly #timer = new VirtualTimer(this)
  #where: 'out' | 'there' | 'back' | 'over' = 'out'
  #leftAt = Infinity
  #departure: Departure | undefined
  #answer: Answer = 'ok'
  #retryAfterMs: number | undefined

  constructor(network: Network, attempt: Attempt, caller: Caller) {
    this.#network = network
    this.#attempt = attempt
    this.#caller = caller
  }

  start(): void {
    this.#network.onTheWay++
    this.#travel(0)
  }

  due(): void {
    if (this.#where === 'out') {
      this.#network.onTheWay--
      this.#where = 'there'
      const departure = this.#network.callee.call(this.#attempt, this)
      if (this.#where !== 'there') return
      this.#departure = departure
      if (this.#leftAt < Infinity) this.#bringNews()
    } else if (this.#where === 'there') {
      // News that the caller has left.
      this.#where = 'over'
      this.#departure?.leave()
    } else if (this.#where === 'back') {
      this.#where = 'over'
      this.#network.onTheWayBack--
      if (this.#leftAt < Infinity) this.#network.unheard++
      else this.#caller.answered(this.#answer, this.#retryAfterMs)
    }
  }

  answered(answer: Answer, retryAfterMs: number | undefined): void {
    this.#network.world.stop(this.#timer)
    this.#where = 'back'
    this.#answer = answer
    this.#retryAfterMs = retryAfterMs
    this.#network.onTheWayBack++
    this.#travel(1)
  }

  leave(): void {
    this.#leftAt = this.#network.world.now()
    if (this.#where === 'there') this.#bringNews()
  }

  // News that the caller has left set out when it left, but does not overtake the request.
  #bringNews(): void {
    const { world } = this.#network
    const dueAt = this.#leftAt + this.#network.delayMs(this.#attempt, 2)
    world.start(this.#timer, Math.max(0, dueAt - world.now()))
  }

  #travel(way: number): void {
    this.#network.world.start(this.#timer, this.#network.delayMs(this.#attempt, way))
  }
}
