// Ten times the load for one second. An unprotected service is useless for half a minute after it, without a single retry: the
// backlog alone keeps every answer too late.

import type { ThresholdOptions } from '../../verdict/thresholds.ts'
import type { Scenario } from '../scenario.ts'
import { holds } from './criteria.ts'
import { deadlineMs, referenceScenario } from './reference-service.ts'

// The whole stress is one second, so that nothing of it is left out.
const thresholds: ThresholdOptions = { settleMs: 0, recoveryMaxMs: 2000 }

export const s06: Scenario = referenceScenario(
  [{ name: 'stress', lengthMs: 1000, multiple: 10 }],
  { timeoutMs: deadlineMs },
  { id: 'S06', title: 'Spike', thresholds, asks: 'back within 2 s', passes: (run) => [holds(run, thresholds)] },
)
