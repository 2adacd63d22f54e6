// A service as its callers see it: one instance or a fleet of them, with the way there in front.

import { Balancer } from './balancer.ts'
import { AnswerCache } from './cache.ts'
import { Client } from './client.ts'
import type { Attempt, Callee, Caller, Departure } from './contract.ts'
import { Fleet } from './fleet.ts'
import { Instance, type InstanceContext } from './instance.ts'
import { Network } from './network.ts'
import type { Policy } from './policy.ts'
import type { ServiceAccount, ServicePlan, Step } from './scenario.ts'
import { ServiceBooks } from './service-books.ts'
import { CallStep, ProbeStep, type StepRun, WaitStep, WorkStep } from './step.ts'
import type { Topology } from './topology.ts'
import type { World } from './world.ts'

// Work of a health check where the plan names none, ms.
const PROBE_WORK_MS = 1

export class Service implements Callee {
  readonly name: string
  readonly plan: ServicePlan
  readonly books = new ServiceBooks()
  readonly caches: AnswerCache[] = []
  readonly fleet: Fleet
  readonly #world: World
  readonly #network: Network | undefined
  readonly #front: Callee

  constructor(name: string, topology: Topology, policy: Policy, services: ReadonlyMap<string, Service>, world: World) {
    const plan = topology.planOf(name)
    this.name = name
    this.plan = plan
    this.#world = world
    const steps = topology.stepsOf(name).map((step, index) => this.#stepOf(step, index, topology, policy, services))
    const protects = plan.foreign === true ? undefined : policy.entrance
    const place = { service: name, limit: topology.limitOf(name), meanMs: topology.meanMsOf(name) }
    const context: InstanceContext = {
      name,
      plan,
      policy,
      steps,
      probeSteps: [new ProbeStep(plan.fleet?.health?.workMs ?? PROBE_WORK_MS)],
      books: this.books,
      world,
      entranceOf: (process, instance) => protects?.({ ...place, instance, deadlineMs: topology.deadlineMs }, process),
    }
    const balancer = new Balancer(name, plan.fleet, policy.ejection ?? plan.fleet?.ejection, this.books, world)
    this.fleet = new Fleet(context, balancer, (number) => new Instance(number, context), world)
    const direct = plan.fleet === undefined ? this.fleet : balancer
    this.#network = plan.networkMs && new Network(name, plan.networkMs, direct, world)
    this.#front = this.#network ?? direct
  }

  call(attempt: Attempt, caller: Caller): Departure {
    return this.#front.call(attempt, caller)
  }

  /** What does not add up at this instant. */
  faults(): readonly string[] {
    const { onTheWay, onTheWayBack, unheard } = this.#network ?? { onTheWay: 0, onTheWayBack: 0, unheard: 0 }
    const faults = [...this.books.faults(this.name, this.#world.now(), onTheWay, onTheWayBack + unheard)]
    return [...faults, ...this.fleet.faults()]
  }

  account(): ServiceAccount {
    const now = this.#world.now()
    return this.books.account(now, this.fleet.utilisation(now), this.fleet.instances.length)
  }

  #stepOf(
    step: Step,
    index: number,
    topology: Topology,
    policy: Policy,
    services: ReadonlyMap<string, Service>,
  ): StepRun {
    const draws = this.#world.keyed(`service/${this.name}/${index}`)
    const redraws = this.plan.redraws ?? false
    if (step.do === 'wait') return new WaitStep(step.ms, draws, redraws)
    if (step.do === 'work') return new WorkStep(step.ms, topology.workByKind(this.name), draws, redraws)
    const cache = step.cache && new AnswerCache(step.cache, () => this.#world.now())
    if (cache !== undefined) this.caches.push(cache)
    const plan = step.client ?? {}
    const clients = [step.to].flat().map((target) => {
      const callee = services.get(target) as Service
      const name = `${this.name}/${index}/${target}`
      return new Client(name, policy.client?.(plan) ?? plan, callee, callee.books.newCaller(), this.#world)
    })
    const { share = 1, classes, optional = false } = step
    return new CallStep(clients, { share, classes, optional }, cache, draws, this.books)
  }
}
