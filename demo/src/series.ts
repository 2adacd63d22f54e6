// The run cut into short slices of equal length, for pictures and for the live view.

import { type Ledger, percentile } from './ledger.ts'

export type Slice = {
  readonly fromMs: number
  readonly toMs: number
  readonly offeredPerS: number
  readonly goodputPerS: number
  readonly rejectedPerS: number
  readonly timeoutsPerS: number
  /** Late, failed or unsent. */
  readonly otherPerS: number
  readonly p50Ms: number | null
  readonly p99Ms: number | null
}

/** Slices of a second, or half a second where a run is too short to show much in seconds. */
export function sliceMsOf(durationMs: number): number {
  return durationMs > 20_000 ? 1000 : 500
}

export function slicesOf(ledger: Ledger, durationMs: number): Slice[] {
  const sliceMs = sliceMsOf(durationMs)
  const slices: Slice[] = []
  for (let fromMs = 0; fromMs < durationMs; fromMs += sliceMs) {
    slices.push(sliceOf(ledger, fromMs, Math.min(fromMs + sliceMs, durationMs)))
  }
  return slices
}

function sliceOf(ledger: Ledger, fromMs: number, toMs: number): Slice {
  const { first, end } = ledger.range(fromMs, toMs)
  const seconds = (toMs - fromMs) / 1000
  const counts = ledger.tally(first, end)
  const good = ledger.latencies('good', first, end)
  return {
    fromMs,
    toMs,
    offeredPerS: (end - first) / seconds,
    goodputPerS: counts.good / seconds,
    rejectedPerS: counts.rejected / seconds,
    timeoutsPerS: counts.timeout / seconds,
    otherPerS: (counts.late + counts.failed + counts.unsent) / seconds,
    p50Ms: percentile(good, 50),
    p99Ms: percentile(good, 99),
  }
}

/** How the callers of one service fared in the last second, placed by when they were answered or left. */
export function lastSecond(ledger: Ledger, elapsedMs: number, due: number): Slice {
  const { intendedMs } = ledger.arrivals
  const fromMs = elapsedMs - 1000
  const counts = { pending: 0, good: 0, late: 0, rejected: 0, timeout: 0, failed: 0, unsent: 0 }
  const goodMs: number[] = []
  let offered = 0
  // Whoever settled in the last second arrived in the last two: nobody stays longer than the timeout.
  for (let i = due - 1; i >= 0 && intendedMs[i]! >= fromMs - 1100; i--) {
    if (intendedMs[i]! >= fromMs) offered++
    if (intendedMs[i]! + ledger.latencyMs[i]! < fromMs) continue
    const outcome = ledger.outcome(i)
    counts[outcome]++
    if (outcome === 'good') goodMs.push(ledger.latencyMs[i]!)
  }
  const good = Float64Array.from(goodMs).sort()
  return {
    fromMs,
    toMs: elapsedMs,
    offeredPerS: offered,
    goodputPerS: counts.good,
    rejectedPerS: counts.rejected,
    timeoutsPerS: counts.timeout,
    otherPerS: counts.late + counts.failed + counts.unsent,
    p50Ms: percentile(good, 50),
    p99Ms: percentile(good, 99),
  }
}
