// Rules about how long callers wait: for an answer (V3) and for a refusal (V9).

import { fail, type Judgement, notJudged, pass } from './judgement.ts'
import type { Latencies, Phase, RunRecord } from './run-record.ts'
import { phasesOf } from './series.ts'
import type { Thresholds } from './thresholds.ts'
import { ms, percent } from './words.ts'

/**
 * V3: successes come within their deadline, and no wait in the queue is longer than its budget. What came too late, or was
 * given up unanswered, is a sample beyond the deadline: leaving it out would measure the survivors. With more than one in
 * a hundred of those the p99 lies beyond the deadline, however quick the rest were.
 */
export function bounded(record: RunRecord, thresholds: Thresholds): Judgement {
  const p99MaxMs = thresholds.p99MaxMs ?? record.deadlineMs
  const phases = phasesOf(record, 'stress').flatMap((phase) => {
    const latencies = record.latencies[phase.name]
    const count = latencies === undefined ? 0 : latencies.good.count + latencies.late.count
    if (latencies === undefined || count === 0) return []
    return [{ phase, lateRatio: latencies.late.count / count, p99Ms: latencies.good.p99Ms ?? 0 }]
  })
  if (phases.length === 0) return notJudged('V3', 'Nothing was answered or given up under stress.')
  const latest = phases.reduce((worst, each) => (each.lateRatio > worst.lateRatio ? each : worst))
  const slowest = phases.reduce((worst, each) => (each.p99Ms > worst.p99Ms ? each : worst))
  const queueMaxMs =
    thresholds.queueWaitMaxMs === undefined ? undefined : thresholds.queueWaitMaxMs + (record.serviceP50Ms ?? 0)
  const numbers = {
    p99Ms: slowest.p99Ms,
    p99MaxMs,
    lateRatio: latest.lateRatio,
    lateRatioMax: thresholds.lateRatioMax,
    queueWaitMs: record.queueWaitMaxMs,
    queueWaitMaxMs: queueMaxMs,
  }
  if (latest.lateRatio > thresholds.lateRatioMax) {
    const sentence =
      `In ${latest.phase.name}, ${percent(latest.lateRatio)} of the callers that were let in got their answer ` +
      `after the deadline of ${ms(record.deadlineMs)}, or none; ${percent(thresholds.lateRatioMax)} may.`
    return fail('V3', 'UNBOUNDED', sentence, numbers)
  }
  const p99 = `The p99 of successes in ${slowest.phase.name} is ${ms(slowest.p99Ms)}`
  if (slowest.p99Ms > p99MaxMs) return fail('V3', 'UNBOUNDED', `${p99}, more than ${ms(p99MaxMs)}.`, numbers)
  if (queueMaxMs !== undefined && record.queueWaitMaxMs !== undefined && record.queueWaitMaxMs > queueMaxMs) {
    const sentence = `Something waited ${ms(record.queueWaitMaxMs)} in the queue, more than ${ms(queueMaxMs)}.`
    return fail('V3', 'UNBOUNDED', sentence, numbers)
  }
  return pass('V3', `${p99}, within ${ms(p99MaxMs)}.`, numbers)
}

/** V9: a refusal comes at once and costs next to nothing. */
export function cheapRefusals(record: RunRecord, thresholds: Thresholds): Judgement {
  const slowest = slowestRefusals(record)
  const costRatio = record.refusalCostRatio
  if (slowest === undefined && costRatio === undefined) return notJudged('V9', 'Nothing was refused under stress.')
  const serviceMs = record.serviceP50Ms ?? calmP50(record)
  const p99MaxMs = Math.max(thresholds.refusalP99MaxMs, thresholds.refusalServiceFactor * (serviceMs ?? 0))
  const p99Ms = slowest?.latencies.p99Ms
  const numbers = { p99Ms, p99MaxMs, serviceP50Ms: serviceMs, costRatio, costRatioMax: thresholds.refusalCostMax }
  const parts: string[] = []
  if (slowest !== undefined && p99Ms !== undefined) {
    const slow = p99Ms > p99MaxMs
    parts.push(
      `the p99 of refusals in ${slowest.phase.name} is ${ms(p99Ms)}, ${slow ? 'more than' : 'within'} ${ms(p99MaxMs)}`,
    )
    if (slow) return fail('V9', 'EXPENSIVE-REFUSAL', sentenceOf(parts), numbers)
  }
  if (costRatio !== undefined) {
    parts.push(`a refusal costs ${percent(costRatio)} of a success`)
    if (costRatio > thresholds.refusalCostMax) return fail('V9', 'EXPENSIVE-REFUSAL', sentenceOf(parts), numbers)
  }
  return pass('V9', sentenceOf(parts), numbers)
}

function slowestRefusals(record: RunRecord): { phase: Phase; latencies: Latencies } | undefined {
  return phasesOf(record, 'stress')
    .flatMap((phase) => {
      const latencies = record.latencies[phase.name]?.rejected
      return latencies?.p99Ms === undefined ? [] : [{ phase, latencies }]
    })
    .reduce<{ phase: Phase; latencies: Latencies } | undefined>(
      (worst, each) => ((each.latencies.p99Ms ?? 0) > (worst?.latencies.p99Ms ?? -1) ? each : worst),
      undefined,
    )
}

/** Where the service time is not known: latency of successes in the baseline, which has little waiting in it. */
function calmP50(record: RunRecord): number | undefined {
  for (const phase of phasesOf(record, 'baseline')) {
    const p50Ms = record.latencies[phase.name]?.good.p50Ms
    if (p50Ms !== undefined) return p50Ms
  }
  return undefined
}

function sentenceOf(parts: readonly string[]): string {
  const text = parts.join('; ')
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
}
