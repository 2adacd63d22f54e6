// The wall clock steps an hour forth and an hour back, and then the process is stopped for half a minute. Only the monotonic
// clock may matter, and nothing may be lost.

import { totalsBetween } from '../../verdict/series.ts'
import type { ThresholdOptions } from '../../verdict/thresholds.ts'
import { planOf } from '../plan.ts'
import type { Scenario, SimulatedRun } from '../scenario.ts'
import { atLeast, atMost, holds } from './criteria.ts'
import { capacityPerS, deadlineMs, onPlan } from './reference-service.ts'

const hourMs = 3_600_000
const multiple = 0.7
const [forthMs, backMs, stopMs, goMs] = [22_000, 27_000, 32_000, 62_000] as const
const plan = planOf(capacityPerS, [
  { name: 'warm-up', lengthMs: 5000, multiple: 0.5 },
  { name: 'baseline', lengthMs: 15_000, multiple },
  // The clock jumps within it; what comes while the process is stopped belongs to no role, since nobody could serve it.
  { name: 'stress', lengthMs: stopMs - 20_000, multiple },
  { name: 'stopped', lengthMs: goMs - stopMs, multiple },
  { name: 'recovery', lengthMs: 30_000, multiple },
])
// The stress that recovery is counted from ends where the process stops; and what comes in half a minute is read at once when
// it goes on, by any process.
const thresholds: ThresholdOptions = { recoveryMaxMs: goMs - stopMs + 2000, memoryGrowthMaxMb: 200 }

export const s24: Scenario = onPlan(
  plan,
  { timeoutMs: deadlineMs },
  {
    id: 'S24',
    title: 'Clock jump and a stopped process',
    faults: [
      { kind: 'clock-jump', atMs: forthMs, byMs: hourMs },
      { kind: 'clock-jump', atMs: backMs, byMs: -hourMs },
      { kind: 'pause', service: 'service', fromMs: stopMs, toMs: goMs },
    ],
    thresholds,
    asks: 'nobody notices the clock; after the stop no permit is lost, the limit is what it was, and service is back within 2 s',
    passes: (run) => [
      holds(run, thresholds),
      atMost('calls still inside', 0, run.services.service?.inside),
      atLeast('good ÷ offered while the clock jumps', 0.98, goodShare(run, 20_000, stopMs)),
      atLeast('good ÷ offered from 2 s after the stop', 0.98, goodShare(run, goMs + 2000, goMs + 30_000)),
      atMost('largest change of the limit', 0.1, limitChange(run)),
    ],
  },
)

function goodShare(run: SimulatedRun, fromMs: number, toMs: number): number | undefined {
  const totals = totalsBetween(run, fromMs, toMs, capacityPerS)
  return totals === undefined || totals.offered === 0 ? undefined : totals.good / totals.offered
}

function limitChange(run: SimulatedRun): number {
  const limits = run.intervals.flatMap(({ limit }) => (limit === undefined ? [] : [limit]))
  const usual = limits[0]
  return usual === undefined ? 0 : Math.max(...limits.map((limit) => Math.abs(limit / usual - 1)))
}
