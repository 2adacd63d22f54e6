// The same spike, with callers who back off before they try again: full jitter, 100 ms doubled each time. Back-off alone does
// not save an unprotected service.

import type { Scenario } from '../scenario.ts'
import { attempts, notMetastable } from './criteria.ts'
import { referenceScenario, threeAttempts } from './reference-service.ts'

export const s08: Scenario = referenceScenario(
  [{ name: 'stress', lengthMs: 2000, multiple: 5 }],
  { ...threeAttempts, backOff: { kind: 'exponential', baseMs: 100, factor: 2, jitter: 'full' } },
  {
    id: 'S08',
    title: 'Spike with polite retries',
    asks: 'not metastable in any run, and attempts at most 1.1 × first attempts',
    passes: (run) => [notMetastable(run), attempts(run)],
  },
)
