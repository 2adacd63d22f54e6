// From repeats to rows and ratios. A ratio is taken inside each repeat first, where both sides met the same machine, and
// its median over the repeats afterwards: on a shared machine that moves far less than the ratio of two medians.

import type { Row } from './bench.ts'

/** What one contender gave, one entry a repeat. */
export interface Readings {
  readonly ns: number[]
  readonly bytes: number[]
}

export function rowOf(name: string, { ns, bytes }: Readings): Row {
  return {
    name,
    medianNs: rounded(median(ns)),
    minNs: rounded(Math.min(...ns)),
    maxNs: rounded(Math.max(...ns)),
    bytesPerOp: Math.round(median(bytes) * 10) / 10,
  }
}

/** Median over the repeats of numerator ÷ denominator; several denominators are added up first. */
export function ratioOf(numerator: Readings, ...denominators: readonly Readings[]): number {
  const ratios = numerator.ns.map(
    (ns, repeat) => ns / sum(denominators.map((readings) => readings.ns[repeat] as number)),
  )
  return Math.round(median(ratios) * 1000) / 1000
}

/** The middle one, or the mean of the middle two. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  const upper = sorted[middle] as number
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] as number) + upper) / 2
}

/** Every name with room for its readings. */
export function emptyReadings(names: readonly string[]): Map<string, Readings> {
  return new Map(names.map((name) => [name, { ns: [], bytes: [] }]))
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}

function rounded(ns: number): number {
  return Math.round(ns * 10) / 10
}
