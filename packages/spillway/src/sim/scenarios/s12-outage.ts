// For five seconds everything fails, after the work has been done, and callers try three times: twice the capacity. Failures must
// not be taken for service, and retries must not become the load.

import type { Scenario } from '../scenario.ts'
import { attempts, recovery } from './criteria.ts'
import { referenceScenario, threeAttempts } from './reference-service.ts'

const fromMs = 20_000
const toMs = 25_000

export const s12: Scenario = referenceScenario(
  [{ name: 'stress', lengthMs: toMs - fromMs, multiple: 0.7, capacityPerS: 0 }],
  threeAttempts,
  {
    id: 'S12',
    title: 'Dependency outage',
    faults: [{ kind: 'outage', service: 'service', fromMs, toMs }],
    asks: 'attempts at most 1.1 × first attempts, back within 1 s',
    passes: (run) => [attempts(run), recovery(run, 1)],
  },
)
