// One request in ten becomes twenty times dearer for half a minute: a query without its index. A third of the capacity is left.

import type { Scenario } from '../scenario.ts'
import { atLeast, goodput, groupServed } from './criteria.ts'
import { capacityPerS, referenceScenario, threeAttempts } from './reference-service.ts'

const fromMs = 20_000
const toMs = 50_000
const share = 0.1
const factor = 20
const left = capacityPerS / (1 - share + share * factor)

export const s17: Scenario = referenceScenario(
  [{ name: 'stress', lengthMs: toMs - fromMs, multiple: 0.7, capacityPerS: left }],
  threeAttempts,
  {
    id: 'S17',
    title: 'Expensive queries',
    faults: [{ kind: 'expensive-queries', share, factor, class: 'dear', fromMs, toMs }],
    groupOf: (request) => request.class ?? 'cheap',
    asks: 'goodput at least 0.90 of what is left, and at least 60 % of the cheap requests served',
    passes: (run) => [goodput(run, 0.9), atLeast('good ÷ offered, cheap', 0.6, groupServed(run, 'cheap', 'stress'))],
  },
)
