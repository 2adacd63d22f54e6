// Work with a heavy tail at nine tenths of the capacity: a few requests of seconds among many of milliseconds. Slots held by
// the long ones make the short ones late.

import { boundedPareto, meanOf, samplerOf } from '../../workload/distribution.ts'
import { usualPlan } from '../plan.ts'
import type { Scenario } from '../scenario.ts'
import { atMost, served } from './criteria.ts'
import { deadlineMs } from './reference-service.ts'

const slots = 8
const workMs = boundedPareto(1.1, 4.5, 2000)
const capacityPerS = (slots * 1000) / meanOf(workMs)
const medianMs = samplerOf(workMs).sample({ next: () => 0.5 })
const plan = usualPlan(capacityPerS, [{ name: 'stress', lengthMs: 30_000, multiple: 0.9 }])

export const s10: Scenario = {
  id: 'S10',
  title: 'Heavy-tailed service',
  services: { service: { plant: { kind: 'pool', slots }, workMs } },
  traffic: [{ arrivals: { perS: plan.rate }, client: { timeoutMs: deadlineMs } }],
  phases: plan.phases,
  capacityPerS,
  deadlineMs,
  asks: 'goodput at least 0.80 of what is offered, and the p50 of successes at most twice the median work',
  passes: (run) => [
    served(run, 0.8),
    atMost('p50 of successes ÷ median work', 2, factor(run.latencies.stress?.good.p50Ms, medianMs)),
  ],
}

function factor(p50Ms: number | undefined, workMedianMs: number): number | undefined {
  return p50Ms === undefined ? undefined : p50Ms / workMedianMs
}
