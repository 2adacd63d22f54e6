// Ten bursts of a fifth of a second at ten times the capacity, on half the load: more than the capacity on average, and idle
// nine tenths of the time. What is let in during a burst must be done when the next one comes.

import { burstTrain } from '../../workload/rate-profile.ts'
import { usualPlan } from '../plan.ts'
import type { Criterion, RequestFacts, Scenario, SimulatedRun } from '../scenario.ts'
import { atLeast, atMost, goodput, groupIn } from './criteria.ts'
import { capacityPerS, deadlineMs, onPlan } from './reference-service.ts'

const fromMs = 20_000
const burstMs = 200
const everyMs = 2000
const count = 10
const plan = usualPlan(capacityPerS, [{ name: 'stress', lengthMs: count * everyMs, multiple: 0.5 }])
const bursts = burstTrain(0.5 * capacityPerS, 10 * capacityPerS, { fromMs, burstMs, everyMs, count })
const perS = [
  ...plan.rate.filter(({ atMs }) => atMs < fromMs),
  ...bursts.filter(({ atMs }) => atMs >= fromMs),
  ...plan.rate.filter(({ atMs }) => atMs > fromMs),
]
const stress = { ...plan, rate: perS, phases: plan.phases.map((phase) => ({ ...phase, ...meanLoad(phase.name) })) }

export const s09: Scenario = onPlan(
  stress,
  { timeoutMs: deadlineMs },
  {
    id: 'S09',
    title: 'Burst train',
    groupOf: (request) => groupOf(request),
    asks: 'goodput at least 0.55 of the capacity, gaps at most 20 ms slower than the baseline, limit kept between bursts',
    passes: (run) => [goodput(run, 0.55), gaps(run), limitKept(run)],
  },
)

// What the bursts add up to: the plan itself knows only the load between them.
function meanLoad(name: string): { multiple?: number } {
  return name === 'stress' ? { multiple: 0.5 + (9.5 * burstMs) / everyMs } : {}
}

function groupOf({ intendedAt }: RequestFacts): string {
  const sinceMs = intendedAt - fromMs
  return sinceMs >= 0 && sinceMs < count * everyMs && sinceMs % everyMs < burstMs + deadlineMs ? 'burst' : 'gap'
}

function gaps(run: SimulatedRun): Criterion {
  const [before, between] = [groupIn(run, 'gap', 'baseline')?.p99Ms, groupIn(run, 'gap', 'stress')?.p99Ms]
  const slowerMs = before === undefined || between === undefined ? undefined : between - before
  return atMost('ms the p99 of gaps is above the baseline', 20, slowerMs)
}

function limitKept(run: SimulatedRun): Criterion {
  const limits = (from: number, to: number): number[] =>
    run.intervals.flatMap(({ fromMs: at, limit }) => (at >= from && at < to && limit !== undefined ? [limit] : []))
  const usual = Math.min(...limits(fromMs - 5000, fromMs))
  const least = Math.min(...limits(fromMs, fromMs + count * everyMs))
  return atLeast('least limit ÷ limit before', 0.8, Number.isFinite(usual) ? least / usual : 1)
}
