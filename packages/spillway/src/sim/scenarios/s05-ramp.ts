// From nothing to three times the capacity in a minute, and back in another: goodput follows the load as far as the capacity
// reaches, and follows it down again.

import { totalsBetween } from '../../verdict/series.ts'
import type { Criterion, Scenario, SimulatedRun } from '../scenario.ts'
import { atLeast, holds } from './criteria.ts'
import { capacityPerS, deadlineMs, referenceScenario } from './reference-service.ts'

const minuteMs = 60_000
const windowMs = 5000
const fromMs = 20_000
const stress = [
  { name: 'stress up', lengthMs: minuteMs, multiple: 0, toMultiple: 3 },
  { name: 'stress down', lengthMs: minuteMs, multiple: 3, toMultiple: 0 },
]

export const s05: Scenario = referenceScenario(
  stress,
  { timeoutMs: deadlineMs },
  {
    id: 'S05',
    title: 'Ramp',
    asks: 'goodput within a tenth of min(offered, capacity) in every five seconds',
    passes: (run) => [holds(run), follows(run)],
  },
)

function follows(run: SimulatedRun): Criterion {
  let worst = Infinity
  for (let at = fromMs; at < fromMs + 2 * minuteMs; at += windowMs) {
    const totals = totalsBetween(run, at, at + windowMs, capacityPerS)
    if (totals === undefined || totals.offered === 0) continue
    worst = Math.min(worst, totals.good / Math.min(totals.offered, capacityPerS * totals.seconds))
  }
  return atLeast('least goodput ÷ min(offered, capacity)', 0.9, worst === Infinity ? undefined : worst)
}
