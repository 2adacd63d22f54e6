// Two policies, or two scenarios, side by side. Runs of the same seed meet the same arrivals and the same service times,
// so their differences are taken seed by seed: what chance does to both at once cancels, and a tenth of the runs tells as
// much as two independent samples would.

import { type Bounds, mean, meanInterval } from '../../verdict/statistics.ts'
import { percent } from '../../verdict/words.ts'
import { type PolicyJson, policyJson } from './json.ts'
import type { PolicySummary } from './summary.ts'
import { cellsOf, gridOf, headOf } from './table.ts'

export interface ComparedPair {
  /** What the two have in common: a scenario where policies are compared, a policy where scenarios are. */
  readonly of: string
  readonly a: PolicySummary
  readonly b: PolicySummary
}

/** Goodput of b less goodput of a, as a share of capacity; undefined without a seed that both ran. */
export interface Difference {
  readonly mean: number
  readonly bounds: Bounds | undefined
}

export function goodputDifference({ a, b }: ComparedPair): Difference | undefined {
  const ofA = new Map(a.runs.map((run) => [run.seed, run.measures.goodputRatio]))
  const differences = b.runs.flatMap(({ seed, measures }) => {
    const before = ofA.get(seed)
    return before === undefined || measures.goodputRatio === undefined ? [] : [measures.goodputRatio - before]
  })
  return differences.length === 0 ? undefined : { mean: mean(differences), bounds: meanInterval(differences) }
}

export function comparisonTable(names: readonly [a: string, b: string], pairs: readonly ComparedPair[]): string {
  const rows = pairs.flatMap((pair) => {
    const [a, b] = [pair.a, pair.b].map((policy) => cellsOf(policy).slice(1))
    return [
      [pair.of, names[0], ...(a ?? [])],
      ['', names[1], ...(b ?? [])],
    ]
  })
  return [
    ...gridOf([['', '', ...headOf().slice(1)], ...rows]),
    '',
    ...pairs.map((pair) => `${pair.of}: ${differenceWords(names, goodputDifference(pair))}`),
  ].join('\n')
}

export interface ComparisonJson {
  readonly a: string
  readonly b: string
  readonly pairs: readonly {
    readonly of: string
    readonly a: PolicyJson
    readonly b: PolicyJson
    readonly goodputRatioDifference: number | null
    readonly goodputRatioDifferenceBounds: readonly [number, number] | null
  }[]
}

export function comparisonJson(names: readonly [a: string, b: string], pairs: readonly ComparedPair[]): ComparisonJson {
  return {
    a: names[0],
    b: names[1],
    pairs: pairs.map((pair) => {
      const difference = goodputDifference(pair)
      const bounds = difference?.bounds
      return {
        of: pair.of,
        a: policyJson(pair.a),
        b: policyJson(pair.b),
        goodputRatioDifference: difference === undefined ? null : difference.mean,
        goodputRatioDifferenceBounds: bounds === undefined ? null : [bounds.low, bounds.high],
      }
    }),
  }
}

function differenceWords([a, b]: readonly [string, string], difference: Difference | undefined): string {
  if (difference === undefined) return `${a} and ${b} have no seed in common.`
  const { mean: by, bounds } = difference
  if (bounds === undefined)
    return `${b} serves ${points(by)} of the capacity ${by < 0 ? 'less' : 'more'} than ${a} (one run).`
  if (bounds.low <= 0 && bounds.high >= 0) return `no difference of goodput that chance does not explain.`
  const [low, high] = [Math.abs(bounds.low), Math.abs(bounds.high)].sort((x, y) => x - y)
  const range = low === high ? '' : ` (with 95 % confidence ${points(low ?? 0)} to ${points(high ?? 0)})`
  return `${b} serves ${points(by)} of the capacity ${by < 0 ? 'less' : 'more'} than ${a}${range}.`
}

function points(share: number): string {
  return percent(Math.abs(share))
}
