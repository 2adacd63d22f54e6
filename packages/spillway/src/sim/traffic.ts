// Callers at work: requests come into being when the plan says so, or when a worker takes its next job, and are pursued by
// the client of their traffic. Everything about them is drawn from streams named after the traffic.

import { type Due, VirtualTimer } from '../runtime/virtual.ts'
import type { KeyedDraws } from '../structures/keyed-draws.ts'
import { type ArrivalStream, arrivalStreamOf } from '../workload/arrivals.ts'
import { type Sampler, samplerOf } from '../workload/distribution.ts'
import { MixDraw } from '../workload/mix.ts'
import type { Client, Outcome } from './client.ts'
import type { Fault } from './fault.ts'
import type { Recorder } from './recorder.ts'
import { Request, type RequestOwner } from './request.ts'
import type { Traffic, Workers } from './scenario.ts'
import type { World } from './world.ts'

type Expensive = Extract<Fault, { kind: 'expensive-queries' }>

/** What all traffic of a run shares. */
export interface TrafficContext {
  readonly world: World
  readonly recorder: Recorder
  readonly deadlineMs: number
  readonly expensive: readonly Expensive[]
  /** How many traffics there are: indices of requests are dealt out in turn, so that none depends on another's. */
  readonly count: number
  /** A request has ended. */
  readonly settled: () => void
}

export class TrafficSource implements RequestOwner, Due {
  readonly name: string
  /** Requests that are being pursued. */
  pending = 0
  made = 0
  readonly #context: TrafficContext
  readonly #client: Client
  readonly #mix: MixDraw
  readonly #measured: boolean
  readonly #place: number
  readonly #dear: KeyedDraws
  readonly #arrivals: ArrivalStream | undefined
  readonly #workers: WorkerCrew | undefined
  readonly #timer = new VirtualTimer(this)
  #nextAt = Infinity

  constructor(name: string, place: number, traffic: Traffic, client: Client, context: TrafficContext) {
    const { world } = context
    this.name = name
    this.#place = place
    this.#context = context
    this.#client = client
    this.#measured = traffic.measured ?? true
    this.#mix = new MixDraw(traffic.mix ?? {}, (stream) => world.stream(`traffic/${name}/${stream}`))
    this.#dear = world.keyed(`traffic/${name}/expensive`)
    this.#arrivals = traffic.arrivals && arrivalStreamOf(traffic.arrivals, world.stream(`traffic/${name}/arrivals`))
    this.#workers = traffic.workers && new WorkerCrew(name, traffic.workers, this, world)
  }

  start(): void {
    this.#workers?.start()
    this.#scheduleNext()
  }

  /** Whether the plan has ended, so that nothing new begins. */
  get closed(): boolean {
    return this.#context.world.now() >= this.#context.recorder.lengthMs
  }

  /** The next request arrives. */
  due(): void {
    const intendedAt = this.#nextAt
    this.#scheduleNext()
    this.make(intendedAt)
  }

  /** Makes a request and lets the client pursue it. */
  make(intendedAt: number): void {
    const { deadlineMs, recorder, count } = this.#context
    const { kind, tenant, criticality, key } = this.#mix.next()
    const index = this.made++ * count + this.#place
    const dear = this.#expensiveAt(index, intendedAt)
    const request = new Request(
      index,
      intendedAt,
      kind,
      dear?.class ?? kind.class,
      tenant,
      criticality,
      kind.deadlineMs ?? deadlineMs,
      key,
      (kind.workFactor ?? 1) * (dear?.factor ?? 1),
      this.#measured ? recorder.phaseAt(intendedAt) : -1,
      this,
    )
    this.pending++
    if (this.#measured) recorder.offered(request, this.name)
    this.#client.pursue(request, request.deadlineMs, Infinity, request)
  }

  ended(request: Request, outcome: Outcome): void {
    const { recorder, world, settled } = this.#context
    this.pending--
    if (this.#measured) recorder.ended(request, outcome, world.now())
    this.#workers?.done()
    settled()
  }

  #scheduleNext(): void {
    this.#nextAt = this.#arrivals?.next() ?? Infinity
    const { world, recorder } = this.#context
    // Nothing arrives after the plan has ended.
    if (this.#nextAt < recorder.lengthMs) world.start(this.#timer, this.#nextAt - world.now())
  }

  #expensiveAt(index: number, atMs: number): Expensive | undefined {
    for (const fault of this.#context.expensive) {
      if (atMs < fault.fromMs || atMs >= fault.toMs) continue
      this.#dear.seek(index)
      if (this.#dear.next() < fault.share) return fault
    }
    return undefined
  }
}

/** Workers in a closed loop: each takes a job, waits for its end, thinks, takes the next. */
class WorkerCrew {
  readonly #plan: Workers
  readonly #source: TrafficSource
  readonly #world: World
  readonly #think: Sampler | undefined
  readonly #draws: KeyedDraws
  #left: number

  constructor(name: string, plan: Workers, source: TrafficSource, world: World) {
    this.#plan = plan
    this.#source = source
    this.#world = world
    this.#think = plan.thinkMs && samplerOf(plan.thinkMs)
    this.#draws = world.keyed(`traffic/${name}/think`)
    this.#left = plan.jobs ?? Infinity
  }

  start(): void {
    for (let worker = 0; worker < this.#plan.count; worker++) this.#takeIn(this.#plan.fromMs ?? 0)
  }

  done(): void {
    this.#draws.seek(this.#source.made)
    this.#takeIn(this.#think?.sample(this.#draws) ?? 0)
  }

  // A worker that is told at once that its job has failed takes the next one later in the same instant, not inside.
  #takeIn(delayMs: number): void {
    this.#world.setTimer(() => this.#take(), delayMs)
  }

  #take(): void {
    if (this.#left <= 0 || this.#source.closed) return
    this.#left--
    this.#source.make(this.#world.now())
  }
}
