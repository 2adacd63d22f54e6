// Hand-made runs for tests: the callers are drawn as in a real run, and a rule says what became of each.

import type { Outcome, Reason } from '../ledger.ts'
import { type ServiceName, serviceNames } from '../messages.ts'
import { fullPlan, type Plan } from '../plan.ts'
import { emptyTwin, type RunRecord } from '../record.ts'
import type { ResourceName } from '../resources/resource.ts'

export type Fate = { readonly outcome: Outcome; readonly latencyMs: number; readonly reason?: Reason }
export type Rule = (service: ServiceName, intendedMs: number, index: number) => Fate

export type SyntheticRun = {
  readonly resource?: ResourceName
  readonly plan?: Plan
  readonly latenessMs?: number
  /** Jobs for callers whose leaving the service saw. */
  readonly wasted?: number
  /** Jobs for callers whose leaving it did not see. */
  readonly unseen?: number
  readonly rule?: Rule
}

export const served: Fate = { outcome: 'good', latencyMs: 50 }
export const refused: Fate = { outcome: 'rejected', latencyMs: 1, reason: 'capacity' }
export const unanswered: Fate = { outcome: 'timeout', latencyMs: 1000 }

/** A run as it should be: above 100/s the protected service serves every other or every tenth, the other nobody again. */
export const asExpected: Rule = (service, intendedMs, index) => {
  if (intendedMs < 5000) return served
  if (service === 'unprotected') return unanswered
  if (intendedMs < 15_000) return index % 2 === 0 ? served : refused
  if (intendedMs >= 25_000 && intendedMs < 30_000) return index % 10 === 0 ? served : refused
  return served
}

export function syntheticRun(run: SyntheticRun = {}): RunRecord {
  const { plan = fullPlan, rule = asExpected, latenessMs = 1 } = run
  const twins = {
    unprotected: emptyTwin('unprotected', plan, 1),
    protected: emptyTwin('protected', plan, 1),
  }
  for (const service of serviceNames) {
    const { ledger, readings } = twins[service]
    for (let i = 0; i < ledger.length; i++) {
      const fate = rule(service, ledger.arrivals.intendedMs[i]!, i)
      ledger.settle(i, fate.outcome, fate.latencyMs, fate.reason)
    }
    const warm = { type: 'reading', running: 5, waiting: 20, finished: 10, wasted: 2 } as const
    const wasted = run.wasted ?? 0
    const finished = warm.finished + ledger.tally().good + wasted + (run.unseen ?? 0)
    readings.push({ ...warm, atMs: -1, rssBytes: 50e6 })
    readings.push({ ...warm, atMs: 100, rssBytes: 60e6 })
    readings.push({ ...warm, atMs: plan.durationMs, rssBytes: 55e6, finished, wasted: warm.wasted + wasted })
  }
  const sent = 2 * twins.protected.ledger.length
  return {
    resource: run.resource ?? 'pool',
    seed: 1,
    plan,
    timeoutMs: 1000,
    capacityPerS: 90,
    twins,
    generators: [
      { type: 'done', latenessMs: new Float64Array(sent).fill(latenessMs), cpuShare: 0.2, loopUtilisation: 0.2 },
    ],
  }
}
