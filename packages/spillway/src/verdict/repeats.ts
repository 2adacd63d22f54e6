// V11: the verdict over many runs of one plan. Overload is bistable: the same load takes a service down for good in some
// runs and not in others, so what counts is the share of runs, and how sure one can be of it. A verdict is given to the
// whole when more than one run in twenty is sure to suffer it or worse; fewer are no better known than chance.

import { fail, type Judgement, notJudged, pass } from './judgement.ts'
import { type VerdictName, verdictNames, worstOf } from './name.ts'
import { type Bounds, wilsonInterval } from './statistics.ts'
import { type Thresholds, thresholdsOf } from './thresholds.ts'
import type { Verdict } from './verdict.ts'
import { percent } from './words.ts'

export interface RepeatedVerdict {
  readonly name: VerdictName
  readonly sentence: string
  readonly runs: number
  /** Share of runs that hold, with its 95 % interval. */
  readonly holdRatio: number
  readonly holdBounds: Bounds
  /** How many runs got each name; names that none got are left out. */
  readonly counts: Readonly<Partial<Record<VerdictName, number>>>
  /** V11. */
  readonly judgement: Judgement
  /** Each warning once. */
  readonly warnings: readonly string[]
}

export function judgeRepeats(verdicts: readonly Verdict[], thresholds: Thresholds = thresholdsOf()): RepeatedVerdict {
  const runs = verdicts.length
  const counts: Partial<Record<VerdictName, number>> = {}
  for (const { name } of verdicts) counts[name] = (counts[name] ?? 0) + 1
  const held = counts.HOLDS ?? 0
  const enough = runs >= thresholds.repeatsMin
  const name =
    runs === 0 ? 'INVALID' : enough ? overall(counts, runs, thresholds) : worstOf(Object.keys(counts) as VerdictName[])
  const holdBounds = wilsonInterval(held, runs)
  const share = `${held} of ${runs} runs hold (with 95 % confidence ${percent(holdBounds.low)} to ${percent(holdBounds.high)})`
  const numbers = { runs, held, low: holdBounds.low, high: holdBounds.high, runsMin: thresholds.repeatsMin }
  return {
    name,
    sentence: sentenceOf(name, verdicts),
    runs,
    holdRatio: runs === 0 ? 0 : held / runs,
    holdBounds,
    counts,
    judgement: judgementOf(name, enough, `${share}.`, numbers, thresholds),
    warnings: [...new Set(verdicts.flatMap(({ warnings }) => warnings))],
  }
}

/** The worst name that, together with all worse ones, more than the allowed share of runs is sure to get. */
function overall(counts: Partial<Record<VerdictName, number>>, runs: number, thresholds: Thresholds): VerdictName {
  // One run that lost count means that the counting cannot be trusted, in the others either.
  if (counts.INVALID !== undefined) return 'INVALID'
  let asBad = 0
  for (const name of verdictNames) {
    if (name === 'HOLDS') break
    asBad += counts[name] ?? 0
    if (asBad > 0 && wilsonInterval(asBad, runs).low > thresholds.repeatsLowerBoundMax) return name
  }
  return 'HOLDS'
}

function judgementOf(
  name: VerdictName,
  enough: boolean,
  share: string,
  numbers: Record<string, number>,
  { repeatsMin }: Thresholds,
): Judgement {
  if (!enough) return notJudged('V11', `${share} That is too few to go by: ${repeatsMin} are needed.`, numbers)
  return name === 'HOLDS' ? pass('V11', share, numbers) : fail('V11', name, share, numbers)
}

/** The sentence of one run with that name stands for all of them. */
function sentenceOf(name: VerdictName, verdicts: readonly Verdict[]): string {
  if (verdicts.length === 0) return 'INVALID: There was no run.'
  const example = verdicts.find((verdict) => verdict.name === name) ?? (verdicts[0] as Verdict)
  const count = verdicts.filter((verdict) => verdict.name === name).length
  if (count === verdicts.length) return example.sentence
  const [label = '', ...rest] = example.sentence.split(': ')
  return `${label} in ${count} of ${verdicts.length} runs: ${rest.join(': ')}`
}
