// Many runs instead of one: overload is bistable, and a mean without its interval says nothing. Replications differ in
// their seed alone; two policies on the same seeds meet the same requests, so their difference is judged pair by pair and
// needs far fewer runs than two independent means would.
//
// The start of a run, when everything is still empty, belongs into a phase of its own (`warm-up`): measures are taken of the
// phases after it.

import { type Bounds, mean, meanInterval } from '../verdict/statistics.ts'
import type { Policy } from './policy.ts'
import { runScenario } from './run.ts'
import type { Scenario, SimulatedRun } from './scenario.ts'

/** A number taken of one run; undefined when the run has none. */
export type Measure = (run: SimulatedRun) => number | undefined

export interface Estimate {
  readonly mean: number
  /** Student-t interval of the mean; undefined below two replications. */
  readonly bounds: Bounds | undefined
  /** One per replication that had a value. */
  readonly values: readonly number[]
}

/** Runs a scenario once per seed. */
export function replicate(scenario: Scenario, policy: Policy, seeds: readonly number[]): readonly SimulatedRun[] {
  return seeds.map((seed) => runScenario(scenario, policy, seed))
}

/** Seeds `first`, `first + 1`, … */
export function seedsFrom(first: number, count: number): readonly number[] {
  return Array.from({ length: count }, (_, index) => first + index)
}

export function estimate(runs: readonly SimulatedRun[], measure: Measure, confidence = 0.95): Estimate {
  return estimateOf(
    runs.map(measure).filter((value) => value !== undefined),
    confidence,
  )
}

/** How much more `a` has than `b`, over the seeds that both have run. */
export function difference(
  a: readonly SimulatedRun[],
  b: readonly SimulatedRun[],
  measure: Measure,
  confidence = 0.95,
): Estimate {
  const bySeed = new Map(b.map((run) => [run.seed, measure(run)]))
  const differences = a.flatMap((run) => {
    const [mine, other] = [measure(run), bySeed.get(run.seed)]
    return mine === undefined || other === undefined ? [] : [mine - other]
  })
  return estimateOf(differences, confidence)
}

/** Goodput of a phase, per second. */
export function goodputIn(phase: string): Measure {
  return (run) => {
    const found = run.phases.find(({ name }) => name === phase)
    const count = run.latencies[phase]?.good.count
    return found === undefined || count === undefined ? undefined : (1000 * count) / (found.toMs - found.fromMs)
  }
}

function estimateOf(values: readonly number[], confidence: number): Estimate {
  return { mean: mean(values), bounds: meanInterval(values, confidence), values }
}
