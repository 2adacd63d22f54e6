// Twenty tenants with a fiftieth of the capacity each; one of them goes to five times the capacity for twenty seconds. The
// others must not notice, and it must get what is left.

import type { ThresholdOptions } from '../../verdict/thresholds.ts'
import { planOf } from '../plan.ts'
import type { Scenario } from '../scenario.ts'
import { atMost, holds, p99Factor } from './criteria.ts'
import { capacityPerS, deadlineMs, onPlan, referenceService } from './reference-service.ts'

const fromMs = 20_000
const toMs = 40_000
const burster = 'tenant 0'
const tenants = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`tenant ${index}`, 1]))
const multiple = 0.4
const plan = planOf(capacityPerS, [
  { name: 'warm-up', lengthMs: 5000, multiple },
  { name: 'baseline', lengthMs: 15_000, multiple },
  { name: 'stress', lengthMs: toMs - fromMs, multiple },
  { name: 'recovery', lengthMs: 30_000, multiple },
])
const phases = plan.phases.map((phase) => (phase.name === 'stress' ? { ...phase, multiple: multiple + 5 } : phase))
const thresholds: ThresholdOptions = {
  fairness: [
    { kind: 'success', by: 'tenant', groups: 'all', except: [burster], shareMin: 0.95 },
    { kind: 'fair-share', by: 'tenant', shareMin: 0.9 },
  ],
}

export const s15: Scenario = onPlan(
  { ...plan, phases },
  { timeoutMs: deadlineMs },
  {
    id: 'S15',
    title: 'Tenant burst',
    services: { service: referenceService },
    traffic: [{ arrivals: { perS: plan.rate }, client: { timeoutMs: deadlineMs }, mix: { tenants } }],
    faults: [{ kind: 'tenant-burst', tenant: burster, perS: 5 * capacityPerS, fromMs, toMs }],
    groupOf: ({ tenant }) => (tenant === burster ? 'burster' : 'others'),
    thresholds,
    asks: 'at least 95 % of the others served, at most twice as slow as before; the burster gets its fair part',
    passes: (run) => [
      holds(run, thresholds),
      atMost('p99 of the others ÷ before', 2, p99Factor(run, 'others', 'stress', 'baseline')),
    ],
  },
)
