// Two seconds of five times the load, and callers who try three times at once: the retries keep an unprotected service down
// for good. The trigger is gone after two seconds; what stays is its own doing.

import { judge } from '../../verdict/verdict.ts'
import { exponential } from '../../workload/distribution.ts'
import { usualPlan } from '../plan.ts'
import type { Scenario } from '../scenario.ts'

const capacityPerS = 400
const deadlineMs = 250
const plan = usualPlan(capacityPerS, [{ name: 'stress', lengthMs: 2000, multiple: 5 }])

export const s07: Scenario = {
  id: 'S07',
  title: 'Spike with retries',
  services: { service: { plant: { kind: 'pool', slots: 8 }, workMs: exponential(20) } },
  traffic: [{ arrivals: { perS: plan.rate }, client: { timeoutMs: deadlineMs, attempts: 3 } }],
  phases: plan.phases,
  capacityPerS,
  deadlineMs,
  asks: 'not metastable in any run, and attempts at most 1.1 × first attempts',
  passes: (run) => {
    const { name } = judge(run)
    return [
      { name: 'not metastable', holds: name !== 'METASTABLE', wanted: 'any other verdict', got: name },
      {
        name: 'attempts per request',
        holds: run.attemptsPerRequest <= 1.1,
        wanted: 'at most 1.1',
        got: run.attemptsPerRequest.toFixed(2),
      },
    ]
  },
}
