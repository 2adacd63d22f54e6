// A dependency accepts everything and answers nothing for ten seconds. Half of the requests need it; the others must not be
// held up by those that wait for it.

import { constant, exponential } from '../../workload/distribution.ts'
import { usualPlan } from '../plan.ts'
import type { Scenario } from '../scenario.ts'
import { atLeast, atMost, groupServed } from './criteria.ts'
import { capacityPerS, deadlineMs } from './reference-service.ts'

const fromMs = 20_000
const toMs = 30_000
const limit = 32
const plan = usualPlan(capacityPerS, [{ name: 'stress', lengthMs: toMs - fromMs, multiple: 0.7 }])

export const s13: Scenario = {
  id: 'S13',
  title: 'Dependency black hole',
  services: {
    front: {
      plant: { kind: 'endless' },
      limit,
      steps: [
        { do: 'work', ms: constant(5) },
        { do: 'call', to: 'dependency', classes: ['needs it'], client: { timeoutMs: deadlineMs } },
      ],
    },
    dependency: { plant: { kind: 'pool', slots: 8 }, workMs: exponential(20), foreign: true },
  },
  traffic: [
    {
      arrivals: { perS: plan.rate },
      client: { timeoutMs: deadlineMs, attempts: 3 },
      mix: { kinds: [{ class: 'needs it' }, { class: 'alone' }] },
    },
  ],
  phases: plan.phases,
  capacityPerS,
  deadlineMs,
  faults: [{ kind: 'black-hole', service: 'dependency', fromMs, toMs }],
  groupOf: (request) => request.class,
  asks: 'requests in the service bounded, and at least 95 % of the unrelated ones served',
  passes: (run) => [
    atMost('most in flight', limit, Math.max(...run.intervals.map(({ inFlight }) => inFlight ?? 0))),
    atLeast('good ÷ offered of those that do not need it', 0.95, groupServed(run, 'alone', 'stress')),
  ],
}
