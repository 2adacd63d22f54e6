// One run of one scenario under one policy with one seed. Builds the world, lets it run until every request has ended (or
// the horizon is reached), checks every account, and hands back the record.

import { samplerOf } from '../workload/distribution.ts'
import { inSteps } from '../workload/rate-profile.ts'
import { checkScenario } from './check.ts'
import { Client } from './client.ts'
import type { Fault } from './fault.ts'
import { scheduleFaults } from './fault-schedule.ts'
import type { Policy } from './policy.ts'
import { Recorder } from './recorder.ts'
import type { Scenario, SimulatedRun, Traffic } from './scenario.ts'
import { Service } from './service.ts'
import { stepsOfPlan, Topology } from './topology.ts'
import { TrafficSource } from './traffic.ts'
import { World } from './world.ts'

// A run that has not ended a minute after its plan will not.
const HORIZON_AFTER_MS = 60_000

export interface RunOptions {
  /** Keeps latencies by interval, for pictures. Default false. */
  readonly forPictures?: boolean
}

/** Runs a scenario. Throws SPILLWAY_OPTIONS_INVALID, naming everything that is impossible about it. */
export function runScenario(scenario: Scenario, policy: Policy, seed: number, options: RunOptions = {}): SimulatedRun {
  checkScenario(scenario)
  return new Run(scenario, scenario.adapt?.(policy) ?? policy, seed, options).run()
}

class Run {
  readonly #scenario: Scenario
  readonly #policy: Policy
  readonly #world: World
  readonly #recorder: Recorder
  readonly #services = new Map<string, Service>()
  readonly #sources: readonly TrafficSource[]
  /** The service whose load, limit and queue the record shows: the one that is called from outside first. */
  readonly #entry: Service
  readonly #warnings: string[] = []
  #busyMs = 0
  #interval = 0
  #planOver = false

  constructor(scenario: Scenario, policy: Policy, seed: number, { forPictures = false }: RunOptions) {
    this.#scenario = scenario
    this.#policy = policy
    this.#world = new World(seed)
    this.#recorder = new Recorder(scenario, forPictures)
    const topology = new Topology(scenario)
    for (const name of topology.calleesFirst())
      this.#services.set(name, new Service(name, topology, policy, this.#services, this.#world))
    this.#sources = this.#makeSources()
    this.#entry = this.#serviceOf(scenario.traffic[0] as Traffic)
  }

  run(): SimulatedRun {
    const { faults = [], horizonMs = this.#recorder.lengthMs + HORIZON_AFTER_MS } = this.#scenario
    scheduleFaults(faults, this.#services, this.#world)
    for (const source of this.#sources) source.start()
    this.#world.setTimer(() => this.#onPlanOver(), this.#recorder.lengthMs)
    this.#world.setTimer(this.#onInterval, this.#recorder.series.intervalMs, true)
    this.#world.run(horizonMs)
    this.#warn(horizonMs)
    return this.#record()
  }

  #makeSources(): readonly TrafficSource[] {
    const traffic = [...this.#scenario.traffic, ...this.#bursts()]
    const context = {
      world: this.#world,
      recorder: this.#recorder,
      deadlineMs: this.#scenario.deadlineMs,
      expensive: this.#faults('expensive-queries'),
      count: traffic.length,
      settled: () => this.#haltIfOver(),
    }
    return traffic.map((each, place) => {
      const name = each.name ?? (place === 0 ? 'clients' : `clients ${place}`)
      const service = this.#serviceOf(each)
      const plan = this.#policy.client?.(each.client ?? {}) ?? each.client ?? {}
      const observer = each.measured === false ? undefined : this.#recorder
      const client = new Client(name, plan, service, service.books.newCaller(), this.#world, observer)
      return new TrafficSource(name, place, each, client, context)
    })
  }

  // A tenant's burst is traffic like any other, from the clients of the first.
  #bursts(): readonly Traffic[] {
    const [first] = this.#scenario.traffic
    return this.#faults('tenant-burst').map(({ tenant, perS, fromMs, toMs }, index) => ({
      name: `burst ${index}`,
      ...(first?.to === undefined ? {} : { to: first.to }),
      ...(first?.client === undefined ? {} : { client: first.client }),
      arrivals: { perS: [{ atMs: 0, perS: 0 }, ...inSteps([{ lengthMs: toMs - fromMs, perS }], fromMs)] },
      mix: { ...first?.mix, kinds: [{ ...first?.mix?.kinds?.[0], tenant }] },
    }))
  }

  #faults<K extends Fault['kind']>(kind: K): readonly Extract<Fault, { kind: K }>[] {
    return (this.#scenario.faults ?? []).filter((fault): fault is Extract<Fault, { kind: K }> => fault.kind === kind)
  }

  #serviceOf({ to }: Traffic): Service {
    return this.#services.get(to ?? (Object.keys(this.#scenario.services)[0] as string)) as Service
  }

  #onPlanOver(): void {
    this.#planOver = true
    this.#haltIfOver()
  }

  #haltIfOver(): void {
    if (this.#planOver && this.#sources.every(({ pending }) => pending === 0)) this.#world.halt()
  }

  readonly #onInterval = (): void => {
    const { series } = this.#recorder
    const { fleet } = this.#entry
    const { busyMs } = fleet.usage(this.#world.now())
    const sum = (of: (instance: (typeof fleet.instances)[number]) => number): number =>
      fleet.instances.reduce((total, instance) => total + of(instance), 0)
    const limit = sum(({ entrance }) => entrance?.limit ?? Infinity)
    series.sample(
      this.#interval++,
      (busyMs - this.#busyMs) / series.intervalMs,
      limit,
      sum(({ waiting }) => waiting),
    )
    this.#busyMs = busyMs
    if (this.#interval < series.length) this.#world.setTimer(this.#onInterval, series.intervalMs, true)
  }

  #warn(horizonMs: number): void {
    const pending = this.#sources.reduce((sum, source) => sum + source.pending, 0)
    if (this.#world.reported.length > 0) this.#warnings.push(`${this.#world.reported.length} errors were reported`)
    if (pending === 0) return
    this.#warnings.push(
      this.#world.timersPending === 0
        ? `nothing can ever happen again, and ${pending} requests are still waiting; they count as late`
        : `stopped at its horizon (${horizonMs} ms) with ${pending} requests still waiting; they count as late`,
    )
  }

  #record(): SimulatedRun {
    const { capacityPerS, deadlineMs, id } = this.#scenario
    const recorder = this.#recorder
    recorder.close()
    const services = [...this.#services.values()]
    const errors = [...recorder.faults(), ...services.flatMap((service) => service.faults())]
    const checksAsked = services.reduce((sum, { books }) => sum + books.checksAsked, 0)
    const checksFailed = services.reduce((sum, { books }) => sum + books.checksFailed, 0)
    return {
      scenario: id,
      policy: this.#policy.name,
      seed: this.#world.seed,
      capacityPerS,
      deadlineMs,
      intervalMs: recorder.series.intervalMs,
      intervals: recorder.series.intervals(),
      phases: recorder.phases,
      latencies: recorder.latencies(),
      byCriticality: recorder.byCriticality(),
      byTenant: recorder.byTenant(),
      wastedRatio: wastedRatioOf(services),
      attemptsPerRequest: recorder.requests === 0 ? 0 : recorder.attempts / recorder.requests,
      queueWaitMaxMs: this.#entry.books.waitMaxMs,
      serviceP50Ms: serviceP50MsOf(this.#entry),
      refusalCostRatio: refusalCostRatioOf(this.#entry),
      memoryIdleMb: 0,
      memoryPeakMb: services.reduce((sum, { books }) => sum + books.bytesMax, 0) / 1e6,
      healthChecks: checksAsked === 0 ? undefined : { asked: checksAsked, failed: checksFailed },
      latenessP99Ms: 0,
      generatorUtilisation: undefined,
      conservationErrors: errors,
      warnings: this.#warnings,
      traceHash: this.#world.traceHash,
      events: this.#world.events,
      requests: this.#sources.reduce((sum, source) => sum + source.made, 0),
      endedAtMs: this.#world.now(),
      services: Object.fromEntries(services.map((service) => [service.name, service.account()])),
      groups: recorder.groups(),
      timeouts: recorder.timeouts(),
    }
  }
}

function wastedRatioOf(services: readonly Service[]): number | undefined {
  const workedMs = services.reduce((sum, { books }) => sum + books.workedMs, 0)
  const wastedMs = services.reduce((sum, { books }) => sum + books.workedForGoneMs, 0)
  return workedMs === 0 ? undefined : wastedMs / workedMs
}

// Every distribution is sampled by inversion, so its median is the sample at one half.
function serviceP50MsOf({ plan }: Service): number {
  const half = { next: () => 0.5 }
  return stepsOfPlan(plan).reduce((sum, step) => sum + (step.do === 'call' ? 0 : samplerOf(step.ms).sample(half)), 0)
}

function refusalCostRatioOf({ plan, books }: Service): number | undefined {
  if (plan.plant.kind !== 'loop' || books.worked === 0) return undefined
  const { acceptMs = 0, readMs = 0, refuseMs = 0, connections } = plan.plant
  const takenInMs = readMs + (connections === 'fresh' ? acceptMs : 0)
  return (takenInMs + refuseMs) / (takenInMs + books.workedMs / books.worked)
}
