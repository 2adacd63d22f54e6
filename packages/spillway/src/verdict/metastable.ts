// V5 and V6: whether a service that did not come back is held down by something, or merely has much to work off. A
// first-in-first-out backlog drains in B / (C − λ) seconds and looks dead all the while; that is slow, not metastable.
// Only past that time, and with retries or wasted work to keep it down, is the name deserved.

import { fail, type Judgement, notJudged, pass } from './judgement.ts'
import { recoveryFrom, recoveryOf } from './recovery.ts'
import type { RunRecord } from './run-record.ts'
import { intervalsBetween, phasesOf, recordEnd, stressEnd, totalsBetween } from './series.ts'
import type { Thresholds } from './thresholds.ts'
import { percent, seconds, three, times } from './words.ts'

interface Aftermath {
  /** Load after the stress as a share of capacity, first attempts only. */
  readonly load: number
  readonly attemptsRatio: number
  /** Waiting at the end of the stress; undefined when not known. */
  readonly backlog: number | undefined
  /** B / (C − λ); undefined when the backlog is not known, Infinity when more comes in than goes out. */
  readonly drainMs: number | undefined
  /** How long after the stress the service may take: the longer of the fixed time and a multiple of the drain. */
  readonly allowedMs: number
}

/** V5. */
export function notMetastable(record: RunRecord, thresholds: Thresholds): Judgement {
  const recovery = recoveryOf(record, thresholds)
  if (typeof recovery === 'string') return notJudged('V5', recovery)
  const after = aftermathOf(record, recovery.afterMs, thresholds)
  if (after === undefined) return notJudged('V5', 'Nothing was offered after the stress.')
  const { load, attemptsRatio, backlog, drainMs, allowedMs } = after
  const { wastedRatio } = record
  const finiteDrainMs = drainMs === Infinity ? undefined : drainMs
  const numbers = {
    load,
    attemptsRatio,
    wastedRatio,
    backlog,
    drainMs: finiteDrainMs,
    allowedMs,
    recoveryMs: recovery.afterMs,
  }
  const downMs = recovery.afterMs ?? recovery.observedMs
  if (recovery.afterMs !== undefined && downMs <= allowedMs) {
    return pass('V5', `It came back by itself within ${seconds(allowedMs)}.`, numbers)
  }
  if (load > thresholds.metastableLoadMax) {
    const sentence = `After the stress the load is still ${times(load)} the capacity, so that it need not come back.`
    return notJudged('V5', sentence, numbers)
  }
  const signs = signsOf(attemptsRatio, wastedRatio, thresholds)
  if (downMs >= allowedMs && signs.length > 0) {
    const sentence =
      `It is still down ${seconds(downMs)} after the stress, at ${times(load)} its capacity, ` +
      `because ${signs.join(' and ')}.`
    return fail('V5', 'METASTABLE', sentence, numbers)
  }
  if (finiteDrainMs !== undefined && downMs < thresholds.drainFactor * finiteDrainMs) {
    const sentence = `The run ended ${seconds(downMs)} after the stress; a backlog of ${three(backlog ?? 0)} takes ${seconds(finiteDrainMs)} to drain.`
    return fail('V5', 'DRAINING', sentence, numbers)
  }
  if (downMs < allowedMs) {
    const sentence = `The run ended ${seconds(downMs)} after the stress, too early to tell: ${seconds(allowedMs)} are allowed.`
    return notJudged('V5', sentence, numbers)
  }
  return pass('V5', 'It did not come back, but neither retries nor wasted work keep it down.', numbers)
}

/** V6: the same run with the load cut for a few seconds. If that frees it, the load itself was not what kept it down. */
export function confirmed(record: RunRecord | undefined, thresholds: Thresholds): Judgement {
  if (record === undefined) return notJudged('V6', 'No run with a cut of the load was made.')
  const cut = phasesOf(record, 'cut').at(-1)
  if (cut === undefined) return notJudged('V6', 'The plan of the confirmation has no phase with the load cut.')
  const recovery = recoveryFrom(record, cut.toMs, thresholds)
  if (typeof recovery === 'string') return notJudged('V6', recovery)
  const numbers = { recoveryMs: recovery.afterMs, cutMs: cut.toMs - cut.fromMs }
  if (recovery.afterMs === undefined) {
    const sentence = `Not even a cut of the load for ${seconds(cut.toMs - cut.fromMs)} frees it.`
    return fail('V6', 'METASTABLE', sentence, numbers)
  }
  const sentence =
    `With the load cut for ${seconds(cut.toMs - cut.fromMs)} it comes back and stays: ` +
    'what kept it down was its own doing, not the load.'
  return pass('V6', sentence, numbers)
}

function aftermathOf(
  record: RunRecord,
  backAfterMs: number | undefined,
  thresholds: Thresholds,
): Aftermath | undefined {
  const fromMs = stressEnd(record) ?? 0
  const phase = phasesOf(record, 'recovery').find((each) => each.toMs > fromMs)
  const capacityPerS = phase?.capacityPerS ?? record.capacityPerS
  // While it is down: what comes in after it is back says nothing about what kept it.
  const down = backAfterMs === undefined || backAfterMs === 0 ? recordEnd(record) : fromMs + backAfterMs
  const totals = totalsBetween(record, fromMs, down, capacityPerS)
  if (totals === undefined || totals.offered === 0) return undefined
  const backlog = intervalsBetween(record, 0, fromMs).at(-1)?.queue
  // Retries fill the queue as first attempts do. Where they alone keep it full it never drains, and there is no drain to wait for.
  const slackPerS = capacityPerS - Math.max(totals.attempts, totals.offered) / totals.seconds
  const drainMs =
    backlog === undefined ? undefined : backlog === 0 ? 0 : slackPerS > 0 ? (1000 * backlog) / slackPerS : Infinity
  const patience = drainMs === undefined || drainMs === Infinity ? 0 : thresholds.drainFactor * drainMs
  return {
    load: totals.offered / totals.seconds / capacityPerS,
    attemptsRatio: totals.attempts / totals.offered,
    backlog,
    drainMs,
    allowedMs: Math.max(thresholds.metastableAfterMs, patience),
  }
}

function signsOf(attemptsRatio: number, wastedRatio: number | undefined, thresholds: Thresholds): string[] {
  const signs: string[] = []
  if (attemptsRatio > thresholds.attemptsRatioMax) signs.push(`each request is sent ${three(attemptsRatio)} times`)
  if (wastedRatio !== undefined && wastedRatio > thresholds.wastedRatioMax) {
    signs.push(`${percent(wastedRatio)} of its work is for callers who have gone`)
  }
  return signs
}
