// Three times the capacity in four classes of importance: the most important tenth must hardly notice, and the least important
// goes first.

import type { ThresholdOptions } from '../../verdict/thresholds.ts'
import { usualPlan } from '../plan.ts'
import type { Scenario } from '../scenario.ts'
import { holds } from './criteria.ts'
import { capacityPerS, deadlineMs, onPlan } from './reference-service.ts'

const plan = usualPlan(capacityPerS, [{ name: 'stress', lengthMs: 30_000, multiple: 3 }])
const groups = ['critical-plus', 'critical', 'sheddable-plus', 'sheddable'] as const
const thresholds: ThresholdOptions = {
  fairness: [
    { kind: 'success', by: 'criticality', groups: ['critical-plus'], shareMin: 0.99 },
    { kind: 'order', groups, slack: 0.01 },
  ],
}

export const s16: Scenario = onPlan(
  plan,
  { timeoutMs: deadlineMs },
  {
    id: 'S16',
    title: 'Criticality under overload',
    traffic: [
      {
        arrivals: { perS: plan.rate },
        client: { timeoutMs: deadlineMs },
        mix: { criticalities: { 'critical-plus': 10, critical: 20, 'sheddable-plus': 30, sheddable: 40 } },
      },
    ],
    thresholds,
    asks: 'at least 99 % of the most important class served, and success in the order of the classes',
    passes: (run) => [holds(run, thresholds)],
  },
)
