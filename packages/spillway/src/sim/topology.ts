// What a scenario's services are to each other: their steps, the order in which they can be made (callees first), and the
// figures that follow from the plan without running it.

import { type Distribution, meanOf } from '../workload/distribution.ts'
import type { RequestKind } from '../workload/mix.ts'
import type { Scenario, ServicePlan, Step } from './scenario.ts'

export class Topology {
  readonly #scenario: Scenario

  constructor(scenario: Scenario) {
    this.#scenario = scenario
  }

  get deadlineMs(): number {
    return this.#scenario.deadlineMs
  }

  planOf(name: string): ServicePlan {
    return this.#scenario.services[name] as ServicePlan
  }

  stepsOf(name: string): readonly Step[] {
    return stepsOfPlan(this.planOf(name))
  }

  /** Every service after those it calls. The scenario has been checked: there are no circles. */
  calleesFirst(): readonly string[] {
    const ordered = new Set<string>()
    const add = (name: string): void => {
      if (ordered.has(name)) return
      for (const callee of calleesOf(this.planOf(name))) add(callee)
      ordered.add(name)
    }
    for (const name of Object.keys(this.#scenario.services)) add(name)
    return [...ordered]
  }

  /** Kinds of requests that say what they need of this service. */
  workByKind(name: string): ReadonlyMap<RequestKind, Distribution> {
    const byKind = new Map<RequestKind, Distribution>()
    for (const { mix } of this.#scenario.traffic) {
      for (const kind of mix?.kinds ?? []) {
        const work = kind.workMs?.[name]
        if (work !== undefined) byKind.set(kind, work)
      }
    }
    return byKind
  }

  /** Mean time a request takes when nothing waits, ms: its steps, and what it calls. */
  meanMsOf(name: string): number {
    return this.stepsOf(name).reduce((sum, step) => sum + this.#stepMs(step), 0)
  }

  /** How many requests at once keep the plant just busy: its slots, times the share of the way that is not work there. */
  limitOf(name: string): number {
    const plan = this.planOf(name)
    if (plan.limit !== undefined) return plan.limit
    const slots = slotsOf(plan)
    const workMs = this.stepsOf(name).reduce((sum, step) => sum + (step.do === 'work' ? meanOf(step.ms) : 0), 0)
    const holdsSlots = plan.plant.kind === 'pool' && plan.plant.holds === 'visit'
    return holdsSlots || workMs === 0 ? slots : Math.ceil(slots * (this.meanMsOf(name) / workMs) - 1e-9)
  }

  #stepMs(step: Step): number {
    if (step.do !== 'call') return meanOf(step.ms)
    const lengths = [step.to].flat().map((name) => this.meanMsOf(name))
    return (step.share ?? 1) * Math.max(...lengths)
  }
}

export function stepsOfPlan(plan: ServicePlan): readonly Step[] {
  return plan.steps ?? (plan.workMs === undefined ? [] : [{ do: 'work', ms: plan.workMs }])
}

export function calleesOf(plan: ServicePlan): readonly string[] {
  return stepsOfPlan(plan).flatMap((step) => (step.do === 'call' ? [step.to].flat() : []))
}

// A plant without end has no limit that would follow from it.
const LIMIT_OF_ENDLESS = 1000

function slotsOf({ plant }: ServicePlan): number {
  if (plant.kind === 'pool') return plant.slots
  if (plant.kind === 'sharing') return plant.cores
  return plant.kind === 'loop' ? 1 : LIMIT_OF_ENDLESS
}
