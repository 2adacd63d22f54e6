// What scenarios ask of a run, in the same words everywhere.

import { roleOf, type Totals, totalsIn } from '../../verdict/series.ts'
import { type ThresholdOptions, thresholdsOf } from '../../verdict/thresholds.ts'
import { judge } from '../../verdict/verdict.ts'
import type { Criterion, GroupAccount, SimulatedRun } from '../scenario.ts'

/** Undefined is what could not be measured, and does not hold. */
export function atLeast(name: string, least: number, got: number | undefined): Criterion {
  return { name, holds: got !== undefined && got >= least, wanted: `at least ${rounded(least)}`, got: rounded(got) }
}

/** Undefined is what could not be measured, and does not hold. */
export function atMost(name: string, most: number, got: number | undefined): Criterion {
  return { name, holds: got !== undefined && got <= most, wanted: `at most ${rounded(most)}`, got: rounded(got) }
}

/** The verdict of the run is HOLDS under these bars. */
export function holds(run: SimulatedRun, thresholds?: ThresholdOptions): Criterion {
  const { name } = judge(run, { thresholds: thresholdsOf(thresholds) })
  return { name: 'verdict', holds: name === 'HOLDS', wanted: 'HOLDS', got: name }
}

/** Nothing keeps the service down after its trigger has gone. */
export function notMetastable(run: SimulatedRun, thresholds?: ThresholdOptions): Criterion {
  const { name } = judge(run, { thresholds: thresholdsOf(thresholds) })
  return { name: 'not metastable', holds: name !== 'METASTABLE', wanted: 'any other verdict', got: name }
}

/** Time to full service after the stress, s. */
export function recovery(run: SimulatedRun, mostS: number, thresholds?: ThresholdOptions): Criterion {
  const { judgements } = judge(run, { thresholds: thresholdsOf(thresholds) })
  const recoveryMs = judgements.find(({ rule }) => rule === 'V4')?.numbers.recoveryMs
  return atMost('seconds to full service', mostS, recoveryMs === undefined ? undefined : recoveryMs / 1000)
}

export function attempts(run: SimulatedRun, most = 1.1): Criterion {
  return atMost('attempts per request', most, run.attemptsPerRequest)
}

/** Goodput of all phases of the stress as a share of what could be served in them. */
export function goodput(run: SimulatedRun, least: number): Criterion {
  const { good, seconds, capacity } = stressTotals(run)
  return atLeast('goodput ÷ capacity under stress', least, seconds === 0 ? undefined : good / capacity)
}

/** Good share of what was offered in the stress. */
export function served(run: SimulatedRun, least: number): Criterion {
  const { good, offered } = stressTotals(run)
  return atLeast('good ÷ offered under stress', least, offered === 0 ? undefined : good / offered)
}

/** Sums over the stress; `capacity` is what could be done in it. */
export function stressTotals(run: SimulatedRun): Pick<Totals, 'good' | 'offered' | 'seconds'> & { capacity: number } {
  const sums = { good: 0, offered: 0, seconds: 0, capacity: 0 }
  for (const phase of run.phases) {
    if (roleOf(phase) !== 'stress') continue
    const totals = totalsIn(run, phase)
    sums.good += totals?.good ?? 0
    sums.offered += totals?.offered ?? 0
    sums.seconds += totals?.seconds ?? 0
    sums.capacity += (totals?.seconds ?? 0) * phase.capacityPerS
  }
  return sums
}

/** The account of a group in a phase. */
export function groupIn(run: SimulatedRun, group: string, phase: string): GroupAccount | undefined {
  return run.groups[group]?.find((account) => account.phase === phase)
}

/** The p99 of successes of a group in a phase against another phase, as a factor. */
export function p99Factor(run: SimulatedRun, group: string, phase: string, calm: string): number | undefined {
  const [under, before] = [groupIn(run, group, phase)?.p99Ms, groupIn(run, group, calm)?.p99Ms]
  return under === undefined || before === undefined ? undefined : under / before
}

/** Good share of what a group offered in a phase. */
export function groupServed(run: SimulatedRun, group: string, phase: string): number | undefined {
  const account = groupIn(run, group, phase)
  return account === undefined || account.offered === 0 ? undefined : account.good / account.offered
}

function rounded(value: number | undefined): string {
  return value === undefined ? 'nothing to measure' : String(Number(value.toPrecision(3)))
}
