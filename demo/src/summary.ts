// The run in numbers: what --json prints.

import { type Ledger, percentile } from './ledger.ts'
import type { ServiceName } from './messages.ts'
import { dropsOf, type Phase, windowsOf } from './plan.ts'
import type { Reading, RunRecord, Twin } from './record.ts'
import { worstRecovery } from './recovery.ts'
import type { ResourceName } from './resources/resource.ts'
import { judgeGenerator } from './validity.ts'

export type WindowSummary = {
  readonly fromS: number
  readonly toS: number
  readonly offeredPerS: number
  readonly goodputPerS: number
  readonly p50Ms: number | null
  readonly p99Ms: number | null
  readonly rejected: number
  readonly rejectP50Ms: number | null
  readonly rejectP99Ms: number | null
  readonly timeouts: number
  readonly criticalOffered: number
  readonly criticalServed: number
}

export type ServiceSummary = {
  readonly windows: readonly WindowSummary[]
  /** Work that was finished for callers who had gone, until the last caller had been answered or had left. */
  readonly wasted: number
  /** Seconds from a drop of load to full service, the worst of all drops; null when it never came. */
  readonly recoveryS: number | null
  readonly rssIdleMb: number
  readonly rssPeakMb: number
}

export type Summary = {
  readonly resource: ResourceName
  readonly capacity: number
  readonly seed: number
  readonly valid: boolean
  readonly services: Readonly<Record<ServiceName, ServiceSummary>>
}

export function summarise(record: RunRecord): Summary {
  return {
    resource: record.resource,
    capacity: round(record.capacityPerS, 1),
    seed: record.seed,
    valid: judgeGenerator(record).valid,
    services: {
      unprotected: summariseTwin(record, record.twins.unprotected),
      protected: summariseTwin(record, record.twins.protected),
    },
  }
}

function summariseTwin(record: RunRecord, twin: Twin): ServiceSummary {
  const before = twin.readings.filter((reading) => reading.atMs < 0)
  const during = twin.readings.filter((reading) => reading.atMs >= 0)
  const idleBytes = before.at(-1)?.rssBytes ?? 0
  return {
    windows: windowsOf(record.plan).map((window) => summariseWindow(twin.ledger, window)),
    wasted: wastedOf(twin.ledger, before.at(-1), during.at(-1)),
    recoveryS: roundOrNull(worstRecovery(twin.ledger, dropsOf(record.plan)), 2),
    rssIdleMb: round(idleBytes / 1e6, 1),
    rssPeakMb: round(Math.max(idleBytes, ...during.map((reading) => reading.rssBytes)) / 1e6, 1),
  }
}

/**
 * The service counts the jobs whose caller's connection it saw close before the answer was out. It does not see all: an
 * answer to a caller who left while the process was busy goes into a closed socket without complaint. Those show as jobs
 * that were finished and whose answer nobody received. Work done to warm up is finished before the load and not counted.
 */
function wastedOf(ledger: Ledger, before: Reading | undefined, after: Reading | undefined): number {
  const seen = (after?.wasted ?? 0) - (before?.wasted ?? 0)
  const finished = (after?.finished ?? 0) - (before?.finished ?? 0)
  const { good, late, failed } = ledger.tally()
  return Math.max(seen, finished - (good + late + failed))
}

export function summariseWindow(ledger: Ledger, window: Phase): WindowSummary {
  const { first, end } = ledger.range(window.fromMs, window.toMs)
  const seconds = (window.toMs - window.fromMs) / 1000
  const counts = ledger.tally(first, end)
  const good = ledger.latencies('good', first, end)
  const rejected = ledger.latencies('rejected', first, end)
  let criticalOffered = 0
  let criticalServed = 0
  for (let i = first; i < end; i++) {
    if (ledger.arrivals.critical[i] !== 1) continue
    criticalOffered++
    if (ledger.outcome(i) === 'good') criticalServed++
  }
  return {
    fromS: window.fromMs / 1000,
    toS: window.toMs / 1000,
    // The denominator is what was offered, sent or not: work that was not done is not work that was not there.
    offeredPerS: round((end - first) / seconds, 1),
    goodputPerS: round(counts.good / seconds, 1),
    p50Ms: roundOrNull(percentile(good, 50), 2),
    p99Ms: roundOrNull(percentile(good, 99), 2),
    rejected: counts.rejected,
    rejectP50Ms: roundOrNull(percentile(rejected, 50), 2),
    rejectP99Ms: roundOrNull(percentile(rejected, 99), 2),
    timeouts: counts.timeout,
    criticalOffered,
    criticalServed,
  }
}

export function round(value: number, digits: number): number {
  return Number(value.toFixed(digits))
}

function roundOrNull(value: number | null, digits: number): number | null {
  return value === null ? null : round(value, digits)
}
