// The service most scenarios are about: eight slots and exponential work of 20 ms, so that its capacity is exact, and callers
// who need an answer within 250 ms. All loads are multiples of the capacity, so that a plan moves to any other service.

import { exponential } from '../../workload/distribution.ts'
import type { LoadPhase, Plan } from '../plan.ts'
import { usualPlan } from '../plan.ts'
import type { ClientPlan, Scenario, ServicePlan } from '../scenario.ts'

/** What it can do, per second. */
export const capacityPerS = 400
/** From the intended start to the last useful answer, ms. */
export const deadlineMs = 250

export const referenceService: ServicePlan = { plant: { kind: 'pool', slots: 8 }, workMs: exponential(20) }

/** Callers who try three times, at once. */
export const threeAttempts: ClientPlan = { timeoutMs: deadlineMs, attempts: 3 }

type Told = Pick<Scenario, 'id' | 'title'> & Partial<Scenario>

/** The reference service under a stress, in the usual course of phases. */
export function referenceScenario(stress: readonly LoadPhase[], client: ClientPlan, told: Told): Scenario {
  return onPlan(usualPlan(capacityPerS, stress), client, told)
}

/** The reference service under a plan of its own. */
export function onPlan(plan: Plan, client: ClientPlan, told: Told): Scenario {
  return {
    services: { service: referenceService },
    traffic: [{ arrivals: { perS: plan.rate }, client }],
    phases: plan.phases,
    capacityPerS,
    deadlineMs,
    ...told,
  }
}
