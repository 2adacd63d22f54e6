// The numbers of a run that tables, JSON and comparisons show. Goodput and latency are those of the hardest stress phase
// as a whole, because percentiles of several phases cannot be added; counts are of all stress phases.

import { recoveryOf } from './recovery.ts'
import type { Latencies, Phase, RunRecord } from './run-record.ts'
import { hardestStress, phasesOf, totalsIn } from './series.ts'
import type { Thresholds } from './thresholds.ts'

export interface Measures {
  /** Goodput under stress as a share of what the service can do when nothing is wrong. */
  readonly goodputRatio: number | undefined
  readonly goodputPerS: number | undefined
  readonly offeredPerS: number | undefined
  readonly p50Ms: number | undefined
  readonly p99Ms: number | undefined
  /** Requests refused at last, and requests answered late or given up unanswered. */
  readonly rejected: number
  readonly timeouts: number
  readonly rejectP50Ms: number | undefined
  readonly rejectP99Ms: number | undefined
  /** `Infinity`: not within the record. Undefined: nothing to come back from. */
  readonly recoveryMs: number | undefined
  readonly attemptsPerRequest: number
  readonly wastedRatio: number | undefined
}

export function measuresOf(record: RunRecord, thresholds: Thresholds): Measures {
  const hardest = hardestStress(record) ?? longestPhase(record)
  const totals = hardest === undefined ? undefined : totalsIn(record, hardest)
  const latencies = hardest === undefined ? undefined : record.latencies[hardest.name]
  const stress = phasesOf(record, 'stress')
  const counted = (stress.length > 0 ? stress : record.phases).map((phase) => totalsIn(record, phase))
  const recovery = recoveryOf(record, thresholds)
  const goodputPerS = totals === undefined ? undefined : totals.good / totals.seconds
  return {
    goodputRatio: goodputPerS === undefined ? undefined : goodputPerS / record.capacityPerS,
    goodputPerS,
    offeredPerS: totals === undefined ? undefined : totals.offered / totals.seconds,
    p50Ms: sampled(latencies?.good)?.p50Ms,
    p99Ms: sampled(latencies?.good)?.p99Ms,
    rejected: counted.reduce((sum, each) => sum + (each?.rejected ?? 0), 0),
    timeouts: counted.reduce((sum, each) => sum + (each?.late ?? 0), 0),
    rejectP50Ms: sampled(latencies?.rejected)?.p50Ms,
    rejectP99Ms: sampled(latencies?.rejected)?.p99Ms,
    recoveryMs: typeof recovery === 'string' ? undefined : (recovery.afterMs ?? Infinity),
    attemptsPerRequest: record.attemptsPerRequest,
    wastedRatio: record.wastedRatio,
  }
}

function sampled(latencies: Latencies | undefined): Latencies | undefined {
  return latencies === undefined || latencies.count === 0 ? undefined : latencies
}

function longestPhase({ phases }: RunRecord): Phase | undefined {
  return phases.reduce<Phase | undefined>(
    (longest, phase) =>
      longest === undefined || phase.toMs - phase.fromMs > longest.toMs - longest.fromMs ? phase : longest,
    undefined,
  )
}
