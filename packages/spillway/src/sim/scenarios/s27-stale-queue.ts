// Three times slower for eight seconds, without a single retry: the queue that builds up makes every later answer stale until
// it has drained, 45 s by arithmetic: 57/s more than can be done for 8 s, worked off at 10/s. The numbers are stability-sim's.

import { constant } from '../../workload/distribution.ts'
import { planOf } from '../plan.ts'
import type { Scenario } from '../scenario.ts'
import { recovery } from './criteria.ts'

const capacityPerS = 100
const deadlineMs = 1000
const fromMs = 20_000
const toMs = 28_000
const multiple = 0.9
const plan = planOf(capacityPerS, [
  { name: 'warm-up', lengthMs: 5000, multiple: 0.5 },
  { name: 'baseline', lengthMs: 15_000, multiple },
  { name: 'stress', lengthMs: toMs - fromMs, multiple, capacityPerS: capacityPerS / 3 },
  { name: 'recovery', lengthMs: 90_000, multiple },
])

export const s27: Scenario = {
  id: 'S27',
  title: 'Stale queue',
  services: { service: { plant: { kind: 'pool', slots: 10 }, workMs: constant(100) } },
  traffic: [{ arrivals: { perS: plan.rate }, client: { timeoutMs: deadlineMs } }],
  phases: plan.phases,
  capacityPerS,
  deadlineMs,
  faults: [{ kind: 'slow-down', service: 'service', factor: 3, fromMs, toMs }],
  thresholds: { recoveryMaxMs: 5000 },
  asks: 'back within 5 s',
  passes: (run) => [recovery(run, 5)],
}
