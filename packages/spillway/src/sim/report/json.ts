// The same numbers for programs. The keys are a promise to scripts and CI: a name is never changed, only added.

import type { PolicySummary, ScenarioSummary } from './summary.ts'

export interface PolicyJson {
  readonly goodputRatio: number | null
  readonly goodputPerS: number | null
  readonly p50Ms: number | null
  readonly p99Ms: number | null
  readonly rejected: number | null
  readonly rejectP50Ms: number | null
  readonly rejectP99Ms: number | null
  readonly timeouts: number | null
  /** null: it did not come back within the run, or there was nothing to come back from. */
  readonly recoveryS: number | null
  readonly attemptsPerRequest: number | null
  readonly wastedRatio: number | null
  readonly verdict: string
  readonly passRatio: number
  /** Criteria of the scenario that some runs, or all runs together, do not meet. */
  readonly unmet: readonly {
    readonly name: string
    readonly wanted: string
    readonly got: string
    readonly runs: number
  }[]
  /** 95 % intervals. */
  readonly passBounds: readonly [number, number]
  readonly goodputRatioBounds: readonly [number, number] | null
  /** How many runs got each verdict. */
  readonly verdicts: Readonly<Record<string, number>>
  readonly sentence: string
  readonly warnings: readonly string[]
}

export interface ScenarioJson {
  readonly scenario: string
  /** How many runs each policy had, and the seed of the first. */
  readonly seeds: number
  readonly firstSeed: number | null
  readonly policies: Readonly<Record<string, PolicyJson>>
}

export function scenarioJson(summary: ScenarioSummary): ScenarioJson {
  return {
    scenario: summary.scenario,
    seeds: summary.seeds.length,
    firstSeed: summary.seeds[0] ?? null,
    policies: Object.fromEntries(summary.policies.map((policy) => [policy.policy, policyJson(policy)])),
  }
}

export function policyJson(summary: PolicySummary): PolicyJson {
  const { averages, recoveryMs, verdict, passRatio, passBounds, runs } = summary
  const together = summary.together.filter(({ holds }) => !holds)
  const { bounds } = averages.goodputRatio
  return {
    goodputRatio: number(averages.goodputRatio.mean),
    goodputPerS: number(averages.goodputPerS.mean),
    p50Ms: number(averages.p50Ms.mean),
    p99Ms: number(averages.p99Ms.mean),
    rejected: number(averages.rejected.mean),
    rejectP50Ms: number(averages.rejectP50Ms.mean),
    rejectP99Ms: number(averages.rejectP99Ms.mean),
    timeouts: number(averages.timeouts.mean),
    recoveryS: number(recoveryMs === undefined ? undefined : recoveryMs / 1000),
    attemptsPerRequest: number(averages.attemptsPerRequest.mean),
    wastedRatio: number(averages.wastedRatio.mean),
    verdict: verdict.name,
    passRatio: number(passRatio) ?? 0,
    unmet: [...summary.unmet, ...together.map(({ name, wanted, got }) => ({ name, wanted, got, runs: runs.length }))],
    passBounds: [number(passBounds.low) ?? 0, number(passBounds.high) ?? 1],
    goodputRatioBounds: bounds === undefined ? null : [number(bounds.low) ?? 0, number(bounds.high) ?? 0],
    verdicts: verdict.counts,
    sentence: verdict.sentence,
    warnings: verdict.warnings,
  }
}

/** Six digits; JSON has no infinity, and nothing measured is not zero. */
function number(value: number | undefined): number | null {
  return value === undefined || !Number.isFinite(value) ? null : Number(value.toPrecision(6))
}
