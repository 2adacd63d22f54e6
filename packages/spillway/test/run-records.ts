// Run records made by hand, for tests of the verdict and of reports: a service of 400/s that keeps its promises through
// ten times its load, from which each test spoils one thing.
import type { Interval, Latencies, Phase, PhaseLatencies, RunRecord } from '../src/verdict/run-record.ts'

export const capacityPerS = 400
export const deadlineMs = 250

export interface Shape {
  /** Offered per second, by phase. */
  readonly offeredPerS: number
  readonly goodPerS: number
  readonly latePerS?: number
  readonly failedPerS?: number
  readonly unsentPerS?: number
  /** Attempts per request; 1 unless given. */
  readonly attempts?: number
  readonly inFlight?: number
  readonly limit?: number
  readonly queue?: number
}

export interface PhasePlan {
  readonly name: string
  readonly seconds: number
  readonly multiple?: number
  readonly capacityPerS?: number
  /** Seconds from the start of the phase are passed in. */
  readonly at: (second: number) => Shape
}

/** What stands in a record beside its intervals and phases. */
export type Rest = Partial<Omit<RunRecord, 'intervals' | 'phases' | 'intervalMs'>>

/** A phase of the same load throughout, of which as much is good as given; what is left is refused. */
export function steady(
  name: string,
  seconds: number,
  multiple: number,
  share = 1,
  more: Partial<Shape> = {},
): PhasePlan {
  const offeredPerS = multiple * capacityPerS
  const shape = { offeredPerS, goodPerS: Math.min(offeredPerS, share * capacityPerS), ...more }
  return { name, seconds, multiple, at: () => shape }
}

export function recordOf(plans: readonly PhasePlan[], rest: Rest = {}, intervalMs = 1000): RunRecord {
  const phases: Phase[] = []
  const intervals: Interval[] = []
  let fromMs = 0
  for (const plan of plans) {
    const toMs = fromMs + plan.seconds * 1000
    const { name, multiple, capacityPerS: capacity = capacityPerS } = plan
    phases.push({ name, fromMs, toMs, multiple, capacityPerS: capacity })
    for (let i = 0; i < (plan.seconds * 1000) / intervalMs; i++) {
      intervals.push(intervalOf(fromMs + i * intervalMs, intervalMs, plan.at((i * intervalMs) / 1000)))
    }
    fromMs = toMs
  }
  return { ...calm, latencies: latenciesOf(phases, intervals, intervalMs), ...rest, phases, intervals, intervalMs }
}

/** Half, seven tenths, ten times, seven tenths: it serves its capacity throughout and is back at once. */
export function holding(rest: Rest = {}, intervalMs = 1000): RunRecord {
  return recordOf(plansOf(steady('stress', 30, 10)), rest, intervalMs)
}

/** Warm-up, baseline, the given stress, then recovery at the load of the baseline. */
export function plansOf(stress: PhasePlan, recovery: PhasePlan = steady('recovery', 30, 0.7)): readonly PhasePlan[] {
  return [steady('warm-up', 5, 0.5), steady('baseline', 15, 0.7), stress, recovery]
}

export function latencies(count: number, p50Ms?: number, p99Ms?: number): Latencies {
  return { count, p50Ms, p90Ms: p99Ms, p99Ms, maxMs: p99Ms }
}

const calm: Omit<RunRecord, 'intervals' | 'phases' | 'intervalMs' | 'latencies'> = {
  scenario: 'made by hand',
  policy: 'default',
  seed: 1,
  capacityPerS,
  deadlineMs,
  byCriticality: [],
  byTenant: [],
  wastedRatio: 0,
  attemptsPerRequest: 1,
  queueWaitMaxMs: 100,
  serviceP50Ms: 14,
  refusalCostRatio: undefined,
  memoryIdleMb: undefined,
  memoryPeakMb: undefined,
  healthChecks: undefined,
  latenessP99Ms: 0,
  generatorUtilisation: undefined,
  conservationErrors: [],
  warnings: [],
}

function intervalOf(fromMs: number, intervalMs: number, shape: Shape): Interval {
  const scale = intervalMs / 1000
  const count = (perS = 0) => Math.round(perS * scale)
  const offered = count(shape.offeredPerS)
  const [good, late, failed, unsent] = [shape.goodPerS, shape.latePerS, shape.failedPerS, shape.unsentPerS].map(count)
  const ended = (good ?? 0) + (late ?? 0) + (failed ?? 0) + (unsent ?? 0)
  const rejected = offered - ended
  return {
    fromMs,
    offered,
    attempts: Math.round(offered * (shape.attempts ?? 1)),
    good: good ?? 0,
    late: late ?? 0,
    rejected,
    failed: failed ?? 0,
    unsent: unsent ?? 0,
    rejectedByReason: rejected > 0 ? { capacity: rejected } : {},
    inFlight: shape.inFlight ?? 8,
    limit: shape.limit ?? 8,
    queue: shape.queue ?? 0,
  }
}

function latenciesOf(phases: readonly Phase[], intervals: readonly Interval[], intervalMs: number) {
  const byPhase: Record<string, PhaseLatencies> = {}
  for (const { name, fromMs, toMs } of phases) {
    const within = intervals.filter((each) => each.fromMs >= fromMs && each.fromMs + intervalMs <= toMs)
    const sum = (what: 'good' | 'late' | 'rejected' | 'failed') => within.reduce((all, each) => all + each[what], 0)
    byPhase[name] = {
      good: latencies(sum('good'), 40, 180),
      late: latencies(sum('late'), deadlineMs, deadlineMs),
      rejected: latencies(sum('rejected'), 0.4, 1),
      failed: latencies(sum('failed'), 1, 2),
    }
  }
  return byPhase
}
