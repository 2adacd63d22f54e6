// Offered load over time as plain data: a line through points, with jumps where two points share an instant. Steps, ramps,
// spikes, burst trains and on-off are all such lines, so one inversion of the cumulative rate Λ(t) turns any of them into
// arrivals (time rescaling): if unit-rate instants are e₁ < e₂ < …, then Λ⁻¹(e₁) < Λ⁻¹(e₂) < … arrive at the wanted rate.
// Thinning was rejected: the number of draws would depend on the rate, and two loads would no longer share their numbers.

import type { Problems } from '../core/problems.ts'

/** Load at one instant; linear to the next point, and constant after the last. */
export interface RatePoint {
  readonly atMs: number
  readonly perS: number
}

export type RateProfile = readonly RatePoint[]

/** A stretch of a plan: `perS` throughout, or rising or falling to `toPerS`. */
export interface RateStep {
  readonly lengthMs: number
  readonly perS: number
  readonly toPerS?: number
}

/** The same load for ever. */
export const steadily = (perS: number): RateProfile => [{ atMs: 0, perS }]

/** One stretch after the other from `fromMs` on, then nothing. */
export function inSteps(steps: readonly RateStep[], fromMs = 0): RateProfile {
  const points: RatePoint[] = []
  let atMs = fromMs
  for (const { lengthMs, perS, toPerS } of steps) {
    points.push({ atMs, perS }, { atMs: atMs + lengthMs, perS: toPerS ?? perS })
    atMs += lengthMs
  }
  return [...points, { atMs, perS: 0 }]
}

/** A base load with `count` bursts of `burstMs`, one every `everyMs` from `fromMs` on. On-off is a base of 0. */
export function burstTrain(
  basePerS: number,
  burstPerS: number,
  timing: { readonly fromMs: number; readonly burstMs: number; readonly everyMs: number; readonly count: number },
): RateProfile {
  const points: RatePoint[] = [{ atMs: 0, perS: basePerS }]
  for (let burst = 0; burst < timing.count; burst++) {
    const fromMs = timing.fromMs + burst * timing.everyMs
    const toMs = fromMs + timing.burstMs
    points.push({ atMs: fromMs, perS: basePerS }, { atMs: fromMs, perS: burstPerS })
    points.push({ atMs: toMs, perS: burstPerS }, { atMs: toMs, perS: basePerS })
  }
  return points
}

/** A base load with one spike. */
export const spike = (basePerS: number, spikePerS: number, fromMs: number, lengthMs: number): RateProfile =>
  burstTrain(basePerS, spikePerS, { fromMs, burstMs: lengthMs, everyMs: lengthMs, count: 1 })

/** Walks along a profile: the instant at which a given number of requests has arrived. */
export class CumulativeRate {
  readonly #points: RateProfile
  // The segment in hand starts at point #index, where #before requests have arrived. Calls never go back.
  #index = 0
  #before = 0

  /** A checked profile: see {@link checkRateProfile}. */
  constructor(points: RateProfile) {
    this.#points = points
  }

  /** When `count` requests have arrived, ms, counts rising from call to call; Infinity if that never happens. */
  instantOf(count: number): number {
    for (;;) {
      const from = this.#points[this.#index] as RatePoint
      const to = this.#points[this.#index + 1]
      const left = count - this.#before
      if (to === undefined) return from.perS > 0 ? from.atMs + (1000 * left) / from.perS : Infinity
      const lengthMs = to.atMs - from.atMs
      const inSegment = ((from.perS + to.perS) / 2000) * lengthMs
      if (left <= inSegment && inSegment > 0) return from.atMs + within(from, to, lengthMs, left)
      this.#before += inSegment
      this.#index++
    }
  }
}

// Solves r₀t + (r₁ − r₀)t²/2L = left for t. The form with the root in the denominator stays exact where both rates agree.
function within(from: RatePoint, to: RatePoint, lengthMs: number, left: number): number {
  const startPerMs = from.perS / 1000
  const slope = (to.perS - from.perS) / 1000 / lengthMs
  const root = Math.sqrt(Math.max(0, startPerMs * startPerMs + 2 * slope * left))
  return Math.min(lengthMs, (2 * left) / (startPerMs + root))
}

/** Requests offered between two instants. */
export function requestsBetween(points: RateProfile, fromMs: number, toMs: number): number {
  let sum = 0
  points.forEach((from, index) => {
    const to = points[index + 1] ?? { atMs: Math.max(toMs, from.atMs), perS: from.perS }
    const lengthMs = to.atMs - from.atMs
    const startMs = Math.max(from.atMs, fromMs)
    const endMs = Math.min(to.atMs, toMs)
    if (lengthMs <= 0 || endMs <= startMs) return
    const rate = (atMs: number): number => from.perS + ((to.perS - from.perS) * (atMs - from.atMs)) / lengthMs
    sum += ((rate(startMs) + rate(endMs)) / 2000) * (endMs - startMs)
  })
  return sum
}

/** Complains about everything that is wrong with it. */
export function checkRateProfile(points: RateProfile, name: string, problems: Problems): void {
  if (!Array.isArray(points) || points.length === 0) {
    problems.add(name, 'a list of one or more points { atMs, perS }', points)
    return
  }
  let previousMs = 0
  points.forEach(({ atMs, perS }: RatePoint, index) => {
    const at = `${name}[${index}]`
    if (!(Number.isFinite(atMs) && atMs >= previousMs))
      problems.add(`${at}.atMs`, `a number of ms, not before the point in front of it (${previousMs})`, atMs)
    else previousMs = atMs
    if (!(Number.isFinite(perS) && perS >= 0)) problems.add(`${at}.perS`, 'a finite rate of 0 per second or more', perS)
  })
}
