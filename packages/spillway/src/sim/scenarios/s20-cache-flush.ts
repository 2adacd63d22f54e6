// A cache that answers nine of ten is flushed, and all of five times the store's capacity falls on the store. It fills on
// success only, so that a store which answers too late never fills it again.

import { totalsBetween } from '../../verdict/series.ts'
import { constant, exponential } from '../../workload/distribution.ts'
import { planOf } from '../plan.ts'
import type { Criterion, Scenario, SimulatedRun } from '../scenario.ts'
import { atLeast } from './criteria.ts'
import { capacityPerS, deadlineMs, referenceService } from './reference-service.ts'

const atMs = 10_000
const perS = 5 * capacityPerS
const keys = 500
// λT/(1 + λT) = 0.9 for each key's share λ of the load.
const ttlMs = (9 * 1000 * keys) / perS
const multiple = 5
const plan = planOf(capacityPerS, [
  { name: 'warm-up', lengthMs: 5000, multiple },
  { name: 'baseline', lengthMs: 5000, multiple },
  { name: 'stress', lengthMs: 10_000, multiple },
  { name: 'recovery', lengthMs: 10_000, multiple },
])

export const s20: Scenario = {
  id: 'S20',
  title: 'Cache flush',
  services: {
    cache: {
      plant: { kind: 'endless' },
      limit: 500,
      steps: [
        { do: 'wait', ms: constant(0.5) },
        { do: 'call', to: 'store', client: { timeoutMs: deadlineMs }, cache: { ttlMs, warm: keys } },
      ],
    },
    store: { ...referenceService, workMs: exponential(20) },
  },
  traffic: [
    { arrivals: { perS: plan.rate }, client: { timeoutMs: deadlineMs, attempts: 3 }, mix: { keys: { count: keys } } },
  ],
  phases: plan.phases,
  capacityPerS: perS,
  deadlineMs,
  faults: [{ kind: 'cache-flush', service: 'cache', atMs }],
  asks: 'at least 85 % answered again five seconds after the flush',
  passes: (run) => [answered(run)],
}

// Hits are answered whatever the store does, so that the good share is at least the hit ratio.
function answered(run: SimulatedRun): Criterion {
  const totals = totalsBetween(run, atMs + 5000, atMs + 10_000, perS)
  return atLeast('good ÷ offered from the fifth second on', 0.85, totals && totals.good / totals.offered)
}
