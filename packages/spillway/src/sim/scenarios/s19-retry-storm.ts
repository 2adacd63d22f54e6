// Three tiers that try three times each: 27 attempts for one request, unless somebody bounds them. A second at twice the
// capacity is enough.

import { constant, exponential } from '../../workload/distribution.ts'
import { planOf } from '../plan.ts'
import type { ClientPlan, Scenario, SimulatedRun } from '../scenario.ts'
import { atMost, notMetastable } from './criteria.ts'
import { capacityPerS, deadlineMs } from './reference-service.ts'

const multiple = 0.6
const plan = planOf(capacityPerS, [
  { name: 'warm-up', lengthMs: 5000, multiple: 0.5 },
  { name: 'baseline', lengthMs: 15_000, multiple },
  { name: 'stress', lengthMs: 1000, multiple: 2 },
  { name: 'recovery', lengthMs: 60_000, multiple },
])
// The last tier gives up on the store; those before it wait for an answer, whatever it is.
const patient: ClientPlan = { timeoutMs: Infinity, attempts: 3 }

export const s19: Scenario = {
  id: 'S19',
  title: 'Retry storm of three tiers',
  services: {
    front: {
      plant: { kind: 'endless' },
      steps: [
        { do: 'work', ms: constant(0.5) },
        { do: 'call', to: 'middle', client: patient },
      ],
    },
    middle: {
      plant: { kind: 'endless' },
      steps: [
        { do: 'work', ms: constant(0.5) },
        { do: 'call', to: 'store', client: { timeoutMs: deadlineMs, attempts: 3 } },
      ],
    },
    store: { plant: { kind: 'pool', slots: 8 }, workMs: exponential(20) },
  },
  traffic: [{ arrivals: { perS: plan.rate }, client: patient }],
  phases: plan.phases,
  capacityPerS,
  deadlineMs,
  thresholds: { settleMs: 0 },
  asks: 'calls of the store at most 1.3 per request, attempts of each tier at most 1.1',
  passes: (run) => [
    notMetastable(run),
    atMost('calls of the store per request', 1.3, callsPer(run, 'store')),
    atMost('attempts of the callers', 1.1, run.attemptsPerRequest),
  ],
}

function callsPer(run: SimulatedRun, service: string): number | undefined {
  const { arrived = 0, dropped = 0 } = run.services[service] ?? {}
  return run.requests === 0 ? undefined : (arrived + dropped) / run.requests
}
