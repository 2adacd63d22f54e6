// One slot, a patient queue and three attempts: ten seconds at twice the capacity leave a service of 20/s dead at 8/s. The
// numbers are those of an incident benchmark (SREGym).

import { exponential } from '../../workload/distribution.ts'
import { planOf } from '../plan.ts'
import type { Scenario } from '../scenario.ts'
import { atMost, notMetastable, recovery, served } from './criteria.ts'

const capacityPerS = 20
const deadlineMs = 750
const calm = 8 / capacityPerS
const plan = planOf(capacityPerS, [
  { name: 'warm-up', lengthMs: 5000, multiple: calm },
  { name: 'baseline', lengthMs: 15_000, multiple: calm },
  { name: 'stress', lengthMs: 10_000, multiple: 2 },
  { name: 'recovery', lengthMs: 60_000, multiple: calm },
])

export const s26: Scenario = {
  id: 'S26',
  title: 'Queue, timeout and retry collapse',
  services: { service: { plant: { kind: 'pool', slots: 1 }, workMs: exponential(50) } },
  traffic: [
    {
      arrivals: { perS: plan.rate },
      client: {
        timeoutMs: deadlineMs,
        attempts: 3,
        backOff: { kind: 'exponential', baseMs: 50, factor: 2, jitter: 0.2 },
      },
    },
  ],
  phases: plan.phases,
  capacityPerS,
  deadlineMs,
  thresholds: { recoveryMaxMs: 20_000 },
  asks: 'not metastable, at most 2.1 attempts per request, at most 5 waiting afterwards, back within 20 s',
  passes: (run) => [
    notMetastable(run),
    atMost('attempts per request', 2.1, run.attemptsPerRequest),
    recovery(run, 20),
    served(run, 0.4),
    atMost('waiting at the end', 5, run.intervals.at(-1)?.queue ?? 0),
  ],
}
