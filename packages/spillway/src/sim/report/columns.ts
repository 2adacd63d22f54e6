// The intervals of a run, gathered into no more columns than a picture has room for: a page must not grow with the length
// of the run. Rates are means, waits and latencies the worst of their column, because a peak that averaging hides is what
// one looks for.

import type { Interval, RunRecord } from '../../verdict/run-record.ts'

// More than this is finer than a pixel of the plots.
const COLUMNS_MAX = 240

export interface Column {
  readonly fromMs: number
  readonly toMs: number
  readonly offeredPerS: number
  readonly attemptsPerS: number
  readonly goodPerS: number
  readonly latePerS: number
  readonly failedPerS: number
  readonly rejectedPerS: Readonly<Record<string, number>>
  readonly inFlight: number | undefined
  readonly limit: number | undefined
  readonly queue: number | undefined
  readonly p50Ms: number | undefined
  readonly p99Ms: number | undefined
}

export function columnsOf(record: RunRecord, columnsMax = COLUMNS_MAX): readonly Column[] {
  const each = Math.max(1, Math.ceil(record.intervals.length / columnsMax))
  const columns: Column[] = []
  for (let first = 0; first < record.intervals.length; first += each) {
    columns.push(columnOf(record.intervals.slice(first, first + each), record.intervalMs))
  }
  return columns
}

/** Reasons that occurred, most frequent first. */
export function reasonsOf(columns: readonly Column[]): readonly string[] {
  const totals = new Map<string, number>()
  for (const { rejectedPerS } of columns) {
    for (const [reason, rate] of Object.entries(rejectedPerS)) totals.set(reason, (totals.get(reason) ?? 0) + rate)
  }
  return [...totals]
    .filter(([, total]) => total > 0)
    .sort(([, a], [, b]) => b - a)
    .map(([reason]) => reason)
}

function columnOf(intervals: readonly Interval[], intervalMs: number): Column {
  const fromMs = intervals[0]?.fromMs ?? 0
  const durationMs = intervals.length * intervalMs
  const perS = (count: (interval: Interval) => number) =>
    (1000 * intervals.reduce((sum, interval) => sum + count(interval), 0)) / durationMs
  const reasons = new Set(intervals.flatMap(({ rejectedByReason }) => Object.keys(rejectedByReason)))
  return {
    fromMs,
    toMs: fromMs + durationMs,
    offeredPerS: perS(({ offered }) => offered),
    attemptsPerS: perS(({ attempts }) => attempts),
    goodPerS: perS(({ good }) => good),
    latePerS: perS(({ late }) => late),
    failedPerS: perS(({ failed }) => failed),
    rejectedPerS: Object.fromEntries(
      [...reasons].map((reason) => [reason, perS(({ rejectedByReason }) => rejectedByReason[reason] ?? 0)]),
    ),
    inFlight: meanOf(intervals.map(({ inFlight }) => inFlight)),
    limit: meanOf(intervals.map(({ limit }) => limit)),
    queue: mostOf(intervals.map(({ queue }) => queue)),
    p50Ms: mostOf(intervals.map(({ p50Ms }) => p50Ms)),
    p99Ms: mostOf(intervals.map(({ p99Ms }) => p99Ms)),
  }
}

function meanOf(values: readonly (number | undefined)[]): number | undefined {
  const known = values.filter((value) => value !== undefined && Number.isFinite(value)) as number[]
  return known.length === 0 ? undefined : known.reduce((sum, value) => sum + value, 0) / known.length
}

function mostOf(values: readonly (number | undefined)[]): number | undefined {
  const known = values.filter((value) => value !== undefined && Number.isFinite(value)) as number[]
  return known.length === 0 ? undefined : Math.max(...known)
}
