// Two hundred callers who read a response of 64 kB at 1 kB a second, beside the usual load. Whoever reads slowly must not hold
// what others need.

import type { ThresholdOptions } from '../../verdict/thresholds.ts'
import { constant } from '../../workload/distribution.ts'
import { planOf } from '../plan.ts'
import type { Scenario, Traffic } from '../scenario.ts'
import { atMost, holds, p99Factor } from './criteria.ts'
import { capacityPerS, deadlineMs, onPlan, referenceService } from './reference-service.ts'

const fromMs = 20_000
const comingMs = 10_000
const multiple = 0.7
const slowCallers = 200
const groups = 20
const plan = planOf(capacityPerS, [
  { name: 'warm-up', lengthMs: 5000, multiple: 0.5 },
  { name: 'baseline', lengthMs: 15_000, multiple },
  // Two hundred at one instant would be a burst, and another scenario.
  { name: 'coming', lengthMs: comingMs, multiple },
  { name: 'stress', lengthMs: 30_000, multiple },
  { name: 'recovery', lengthMs: 30_000, multiple },
])
// A permit is held for the work and a second of writing at most.
const holdMaxMs = 1000 + 20
const thresholds: ThresholdOptions = { memoryGrowthMaxMb: 64 }

export const s21: Scenario = onPlan(
  plan,
  { timeoutMs: deadlineMs },
  {
    id: 'S21',
    title: 'Slow clients',
    services: { service: { ...referenceService, responseBytes: 65_536 } },
    traffic: [
      { name: 'clients', arrivals: { perS: plan.rate }, client: { timeoutMs: deadlineMs } },
      ...Array.from({ length: groups }, (_, index) => slowGroup(index)),
    ],
    groupOf: ({ traffic }) => traffic,
    thresholds,
    asks: 'the p99 of the others at most 1.5 × what it was, permits not held by writes, memory at most 64 MB more',
    passes: (run) => [
      holds(run, thresholds),
      atMost('p99 of the others ÷ before', 1.5, p99Factor(run, 'clients', 'stress', 'baseline')),
      atMost('ms a permit was held by a write', holdMaxMs, run.services.service?.writeHoldMaxMs),
      atMost('MB more', 64, run.memoryPeakMb),
    ],
  },
)

function slowGroup(index: number): Traffic {
  return {
    name: `slow ${index}`,
    // A refused one comes back after a second.
    workers: { count: slowCallers / groups, fromMs: fromMs + (index * comingMs) / groups, thinkMs: constant(1000) },
    mix: { kinds: [{ readsBytesPerS: 1000 }] },
    client: { timeoutMs: 90_000 },
    measured: false,
  }
}
