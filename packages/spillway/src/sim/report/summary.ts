// Many runs of one scenario, by policy: what tables, JSON and pages show. A run is reduced to its numbers and its verdict as
// soon as it is judged, so that thirty seeds cost no more memory than one; one record per policy is kept for the pictures.

import { type Measures, measuresOf } from '../../verdict/measures.ts'
import { judgeRepeats, type RepeatedVerdict } from '../../verdict/repeats.ts'
import type { RunRecord } from '../../verdict/run-record.ts'
import { type Bounds, mean, meanInterval, wilsonInterval } from '../../verdict/statistics.ts'
import type { Thresholds } from '../../verdict/thresholds.ts'
import type { Verdict } from '../../verdict/verdict.ts'
import type { Criterion } from '../scenario.ts'

export interface RunSummary {
  readonly policy: string
  readonly seed: number
  readonly measures: Measures
  readonly verdict: Verdict
  /** Whether it meets the scenario's own criteria; a scenario without any passes when the verdict is HOLDS. */
  readonly passed: boolean
  /** The criteria it does not meet. */
  readonly unmet: readonly Criterion[]
}

/** A criterion that was not met: what the first such run got, and how many there were. */
export interface Unmet {
  readonly name: string
  readonly wanted: string
  readonly got: string
  readonly runs: number
}

/** One measure over all seeds; undefined when no run has it. */
export interface Average {
  readonly mean: number | undefined
  /** 95 % interval of the mean; undefined below two runs. */
  readonly bounds: Bounds | undefined
}

export type MeasureName = Exclude<keyof Measures, 'recoveryMs'>

export interface PolicySummary {
  readonly policy: string
  readonly runs: readonly RunSummary[]
  readonly verdict: RepeatedVerdict
  readonly averages: Readonly<Record<MeasureName, Average>>
  /** Median over the runs; `Infinity` when half of them never came back. */
  readonly recoveryMs: number | undefined
  readonly passRatio: number
  readonly passBounds: Bounds
  readonly unmet: readonly Unmet[]
  /** Criteria of all runs together. */
  readonly together: readonly Criterion[]
  /** A run to look at; undefined where only numbers were asked for. */
  readonly example: RunRecord | undefined
}

export interface ScenarioSummary {
  readonly scenario: string
  readonly title: string
  /** What the scenario asks for beyond the verdict, in words. */
  readonly asks: string | undefined
  readonly seeds: readonly number[]
  readonly policies: readonly PolicySummary[]
}

const measureNames: readonly MeasureName[] = [
  'goodputRatio',
  'goodputPerS',
  'offeredPerS',
  'p50Ms',
  'p99Ms',
  'rejected',
  'timeouts',
  'rejectP50Ms',
  'rejectP99Ms',
  'attemptsPerRequest',
  'wastedRatio',
]

/** `criteria`: what the run shows of the scenario's own; undefined where the scenario has none. */
export function summariseRun(
  record: RunRecord,
  verdict: Verdict,
  thresholds: Thresholds,
  criteria?: readonly Criterion[],
): RunSummary {
  const unmet = criteria?.filter(({ holds }) => !holds) ?? []
  const passed = criteria === undefined ? verdict.name === 'HOLDS' : unmet.length === 0
  return { policy: record.policy, seed: record.seed, measures: measuresOf(record, thresholds), verdict, passed, unmet }
}

export function summarisePolicy(
  policy: string,
  runs: readonly RunSummary[],
  thresholds: Thresholds,
  { example, together = [] }: { readonly example?: RunRecord; readonly together?: readonly Criterion[] } = {},
): PolicySummary {
  const passed = runs.filter((run) => run.passed).length
  const averages = Object.fromEntries(measureNames.map((name) => [name, averageOf(runs, name)]))
  return {
    policy,
    runs,
    verdict: judgeRepeats(
      runs.map(({ verdict }) => verdict),
      thresholds,
    ),
    averages: averages as Record<MeasureName, Average>,
    recoveryMs: median(runs.map(({ measures }) => measures.recoveryMs)),
    passRatio: runs.length === 0 ? 0 : passed / runs.length,
    passBounds: wilsonInterval(passed, runs.length),
    unmet: unmetOf(runs),
    together,
    example,
  }
}

/** The seed whose run is like the whole: the first with the verdict of all. */
export function exampleSeed({ runs, verdict }: Pick<PolicySummary, 'runs' | 'verdict'>): number | undefined {
  return (runs.find((run) => run.verdict.name === verdict.name) ?? runs[0])?.seed
}

/** Each criterion once, those of most runs first. */
function unmetOf(runs: readonly RunSummary[]): readonly Unmet[] {
  const byName = new Map<string, Unmet>()
  for (const { name, wanted, got } of runs.flatMap(({ unmet }) => unmet)) {
    const before = byName.get(name)
    byName.set(name, before === undefined ? { name, wanted, got, runs: 1 } : { ...before, runs: before.runs + 1 })
  }
  return [...byName.values()].sort((a, b) => b.runs - a.runs)
}

function averageOf(runs: readonly RunSummary[], name: MeasureName): Average {
  const values = runs.map(({ measures }) => measures[name]).filter((value) => value !== undefined)
  return values.length === 0
    ? { mean: undefined, bounds: undefined }
    : { mean: mean(values), bounds: meanInterval(values) }
}

/** Nearest rank, which an Infinity among the values does not disturb. */
function median(values: readonly (number | undefined)[]): number | undefined {
  const sorted = values.filter((value) => value !== undefined).sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))
  return sorted[Math.ceil(sorted.length / 2) - 1]
}
