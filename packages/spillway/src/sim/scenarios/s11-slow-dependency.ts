// What the service needs becomes ten times slower for five seconds, with callers who try three times: a tenth of the capacity
// is left, and the load stays. Afterwards nothing of it may have been learnt for good.

import type { Scenario } from '../scenario.ts'
import { atMost, attempts, recovery } from './criteria.ts'
import { capacityPerS, referenceScenario, threeAttempts } from './reference-service.ts'

const fromMs = 20_000
const toMs = 25_000

export const s11: Scenario = referenceScenario(
  [{ name: 'stress', lengthMs: toMs - fromMs, multiple: 0.7, capacityPerS: capacityPerS / 10 }],
  threeAttempts,
  {
    id: 'S11',
    title: 'Dependency ten times slower',
    faults: [{ kind: 'slow-down', service: 'service', factor: 10, fromMs, toMs }],
    thresholds: { recoveryMaxMs: 3000 },
    asks: 'back within 3 s, at the latency of before',
    passes: (run) => {
      const [before, after] = [run.latencies.baseline?.good.p50Ms, run.latencies.recovery?.good.p50Ms]
      const factor = before === undefined || after === undefined ? undefined : after / before
      return [recovery(run, 3), atMost('p50 afterwards ÷ before', 1.2, factor), attempts(run, 1.2)]
    },
  },
)
