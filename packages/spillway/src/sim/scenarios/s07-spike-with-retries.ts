// Two seconds of five times the load, and callers who try three times at once: the retries keep an unprotected service down
// for good. The trigger is gone after two seconds; what stays is its own doing.

import type { Scenario } from '../scenario.ts'
import { attempts, notMetastable } from './criteria.ts'
import { referenceScenario, threeAttempts } from './reference-service.ts'

export const s07: Scenario = referenceScenario([{ name: 'stress', lengthMs: 2000, multiple: 5 }], threeAttempts, {
  id: 'S07',
  title: 'Spike with retries',
  asks: 'not metastable in any run, and attempts at most 1.1 × first attempts',
  passes: (run) => [notMetastable(run), attempts(run)],
})
