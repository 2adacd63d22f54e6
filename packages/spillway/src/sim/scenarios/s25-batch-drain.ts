// Fifty thousand queued jobs whose workers share the store with live calls at half its capacity. The jobs should take what is
// left, and nothing more.

import { planOf } from '../plan.ts'
import type { Scenario, SimulatedRun } from '../scenario.ts'
import { atLeast, atMost, p99Factor } from './criteria.ts'
import { capacityPerS, deadlineMs, onPlan, referenceService } from './reference-service.ts'

const fromMs = 20_000
const lengthMs = 60_000
const multiple = 0.5
const plan = planOf(capacityPerS, [
  { name: 'warm-up', lengthMs: 5000, multiple },
  { name: 'baseline', lengthMs: 15_000, multiple },
  { name: 'stress', lengthMs, multiple },
  { name: 'recovery', lengthMs: 30_000, multiple },
])

export const s25: Scenario = onPlan(
  plan,
  { timeoutMs: deadlineMs },
  {
    id: 'S25',
    title: 'Batch drain',
    services: { service: referenceService },
    traffic: [
      {
        name: 'live',
        arrivals: { perS: plan.rate },
        client: { timeoutMs: deadlineMs },
        mix: { kinds: [{ criticality: 'critical' }] },
      },
      {
        name: 'batch',
        workers: { count: 32, jobs: 50_000, fromMs },
        mix: { kinds: [{ criticality: 'sheddable', deadlineMs: 10_000 }] },
        client: { timeoutMs: 10_000, attempts: 100, backOff: { kind: 'fixed', ms: 100, jitter: 0.5 } },
      },
    ],
    groupOf: ({ traffic }) => traffic,
    asks: 'the p99 of live calls at most 1.5 × what it was; the jobs take at least 90 % of what is left',
    passes: (run) => [
      atMost('p99 of live calls ÷ before', 1.5, p99Factor(run, 'live', 'stress', 'baseline')),
      atLeast('jobs ÷ what was left', 0.9, batchShare(run)),
    ],
  },
)

function batchShare(run: SimulatedRun): number | undefined {
  const account = run.groups.batch?.find(({ phase }) => phase === 'stress')
  return account === undefined ? undefined : account.good / ((1 - multiple) * capacityPerS * (lengthMs / 1000))
}
