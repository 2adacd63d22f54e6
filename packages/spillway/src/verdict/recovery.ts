// V4: when a service is back after the stress. Back means good again for five seconds in a row, so that one lucky second of
// a service that is down does not count. Seconds are the unit whatever the length of an interval is: at 28 requests in
// 100 ms a single failure is a bad interval and says nothing. The moment is still found to the interval.

import { fail, type Judgement, notJudged, pass } from './judgement.ts'
import type { RunRecord } from './run-record.ts'
import { intervalsBetween, phasesOf, recordEnd, stressEnd, totalsIn } from './series.ts'
import type { Thresholds } from './thresholds.ts'
import { seconds } from './words.ts'

const windowMs = 1000

export interface Recovery {
  /** From the end of the stress to the first instant of the stretch that holds; undefined: not within the record. */
  readonly afterMs: number | undefined
  /** How much of the record lies after the stress. */
  readonly observedMs: number
  /** Good share of the baseline that was to be reached again. */
  readonly baseRatio: number
}

/** V4: back within the time the plan allows. */
export function recovers(record: RunRecord, thresholds: Thresholds): Judgement {
  const recovery = recoveryOf(record, thresholds)
  if (typeof recovery === 'string') return notJudged('V4', recovery)
  const { afterMs, observedMs, baseRatio } = recovery
  const limitMs = thresholds.recoveryMaxMs
  const numbers = { recoveryMs: afterMs, recoveryMaxMs: limitMs, observedMs, baseRatio }
  if (afterMs === undefined) {
    return fail('V4', 'SLOW', `It did not come back in the ${seconds(observedMs)} after the stress.`, numbers)
  }
  const sentence = afterMs === 0 ? 'It is back at once.' : `It is back ${seconds(afterMs)} after the stress.`
  return afterMs <= limitMs ? pass('V4', sentence, numbers) : fail('V4', 'SLOW', sentence, numbers)
}

/** The recovery, or why there is none to speak of. */
export function recoveryOf(record: RunRecord, thresholds: Thresholds): Recovery | string {
  const fromMs = stressEnd(record)
  return fromMs === undefined ? 'The plan has no stress phase.' : recoveryFrom(record, fromMs, thresholds)
}

/** The same from another instant than the end of the stress. */
export function recoveryFrom(record: RunRecord, fromMs: number, thresholds: Thresholds): Recovery | string {
  const baseRatio = baseOf(record, thresholds)
  if (baseRatio === undefined) return 'The plan has no baseline to come back to.'
  if (baseRatio === 0) return 'Nothing was served in the baseline, so there is nothing to come back to.'
  const observedMs = Math.max(0, recordEnd(record) - fromMs)
  if (observedMs < thresholds.recoveryHoldMs) {
    return `The run goes on for ${seconds(observedMs)} after the stress, less than the ${seconds(thresholds.recoveryHoldMs)} that must be good.`
  }
  return { afterMs: firstBack(record, fromMs, baseRatio, thresholds), observedMs, baseRatio }
}

function baseOf(record: RunRecord, thresholds: Thresholds): number | undefined {
  let good = 0
  let offered = 0
  for (const phase of phasesOf(record, 'baseline')) {
    const totals = totalsIn(record, phase)
    good += totals?.good ?? 0
    offered += totals?.offered ?? 0
  }
  return offered === 0 ? thresholds.baseRatio : good / offered
}

function firstBack(
  record: RunRecord,
  fromMs: number,
  baseRatio: number,
  { recoveryShareMin, recoveryHoldMs }: Thresholds,
): number | undefined {
  const intervals = intervalsBetween(record, fromMs, Infinity)
  const perWindow = Math.max(1, Math.round(windowMs / record.intervalMs))
  const windows = Math.ceil(recoveryHoldMs / (perWindow * record.intervalMs))
  for (let start = 0; start + windows * perWindow <= intervals.length; start++) {
    let offeredInAll = 0
    let holds = true
    for (let window = 0; holds && window < windows; window++) {
      const first = start + window * perWindow
      let good = 0
      let offered = 0
      for (const interval of intervals.slice(first, first + perWindow)) {
        good += interval.good
        offered += interval.offered
      }
      offeredInAll += offered
      // A second in which nobody came is no evidence either way.
      holds = offered === 0 || good / offered >= recoveryShareMin * baseRatio
    }
    if (holds && offeredInAll > 0) return (intervals[start]?.fromMs ?? fromMs) - fromMs
  }
  return undefined
}

/** `back 0.3 s after the load falls`, for the sentence of a verdict. */
export function recoveryWords({ numbers: { recoveryMs } }: Judgement): string | undefined {
  if (recoveryMs === undefined) return undefined
  return recoveryMs === 0 ? 'back as soon as the load falls' : `back ${seconds(recoveryMs)} after the load falls`
}
