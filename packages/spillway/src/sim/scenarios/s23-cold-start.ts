// A process that starts cold: five times slower for its first ten seconds, with the usual load from the first moment on and
// callers who try three times. What it learns there must not be held against it.

import { planOf } from '../plan.ts'
import type { Scenario } from '../scenario.ts'
import { goodput, recovery } from './criteria.ts'
import { capacityPerS, onPlan, threeAttempts } from './reference-service.ts'

const coldMs = 10_000
const plan = planOf(capacityPerS, [
  { name: 'stress cold', lengthMs: coldMs, multiple: 0.7, capacityPerS: capacityPerS / 5 },
  { name: 'recovery', lengthMs: 60_000, multiple: 0.7 },
])
// There is no baseline before it: what a calm service does is known.
const thresholds = { baseRatio: 0.98, settleMs: 0 }

export const s23: Scenario = onPlan(plan, threeAttempts, {
  id: 'S23',
  title: 'Cold start',
  faults: [{ kind: 'slow-down', service: 'service', factor: 5, fromMs: 0, toMs: coldMs }],
  thresholds,
  asks: 'goodput at least 0.75 of what it can do cold, and full service within 2 s once warm',
  passes: (run) => [goodput(run, 0.75), recovery(run, 2, thresholds)],
})
