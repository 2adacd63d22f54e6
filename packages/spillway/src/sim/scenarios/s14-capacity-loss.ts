// Half of the slots are gone for ten seconds at 0.7 of the capacity, with callers who try three times: a worker was killed.

import type { Scenario } from '../scenario.ts'
import { goodput, recovery } from './criteria.ts'
import { capacityPerS, referenceScenario, threeAttempts } from './reference-service.ts'

const fromMs = 20_000
const toMs = 30_000

export const s14: Scenario = referenceScenario(
  [{ name: 'stress', lengthMs: toMs - fromMs, multiple: 0.7, capacityPerS: capacityPerS / 2 }],
  threeAttempts,
  {
    id: 'S14',
    title: 'Capacity loss',
    faults: [{ kind: 'capacity-loss', service: 'service', slots: 4, fromMs, toMs }],
    asks: 'goodput at least 0.90 of what is left, back within 2 s of the return',
    passes: (run) => [goodput(run, 0.9), recovery(run, 2)],
  },
)
