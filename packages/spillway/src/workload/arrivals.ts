// When requests arrive, as plain data: a rate over time with constant or Poisson spacing, batches, or recorded instants.
// The stream of instants depends on nothing but seed and name, so every policy meets the same ones.

import type { Problems } from '../core/problems.ts'
import type { RandomStream } from '../core/runtime.ts'
import { ln } from '../structures/portable-math.ts'
import { CumulativeRate, checkRateProfile, type RateProfile, steadily } from './rate-profile.ts'

/** Arrivals at a rate. */
export interface RatedArrivals {
  /** Requests per second over time; a number is the same for ever. */
  readonly perS: RateProfile | number
  /** `poisson` (default): independent callers; `constant`: evenly spaced, which queues far less. */
  readonly spacing?: 'poisson' | 'constant'
  /** How many arrive at each instant. The rate counts requests, so instants become rarer. Default 1. */
  readonly batch?: number
}

/** Arrivals as they were seen, or made up one by one. */
export interface RecordedArrivals {
  /** Instants, ms from the start, in any order; one may occur more than once. */
  readonly atMs: readonly number[]
}

export type Arrivals = RatedArrivals | RecordedArrivals

/** The instants, one after the other. */
export interface ArrivalStream {
  /** When the next request arrives, ms, never before the last; Infinity when there is none. */
  next(): number
}

export function arrivalStreamOf(arrivals: Arrivals, random: RandomStream): ArrivalStream {
  return 'atMs' in arrivals ? new Recorded(arrivals.atMs) : new Rated(arrivals, random)
}

class Recorded implements ArrivalStream {
  readonly #atMs: Float64Array
  #index = 0

  constructor(atMs: readonly number[]) {
    this.#atMs = Float64Array.from(atMs).sort()
  }

  next(): number {
    return this.#atMs[this.#index++] ?? Infinity
  }
}

class Rated implements ArrivalStream {
  readonly #rate: CumulativeRate
  readonly #random: RandomStream | undefined
  readonly #batch: number
  // Λ at the instant in hand, and how many of its batch have still to come.
  #cumulative: number
  #atMs = 0
  #left = 0

  constructor({ perS, spacing, batch }: RatedArrivals, random: RandomStream) {
    this.#rate = new CumulativeRate(typeof perS === 'number' ? steadily(perS) : perS)
    this.#random = spacing === 'constant' ? undefined : random
    this.#batch = batch ?? 1
    // Evenly spaced arrivals sit in the middle of their share, so that none falls onto the edge of a phase.
    this.#cumulative = this.#random === undefined ? -this.#batch / 2 : 0
  }

  next(): number {
    if (this.#left > 0) {
      this.#left--
      return this.#atMs
    }
    const gap = this.#random === undefined ? 1 : -ln(1 - this.#random.next())
    this.#cumulative += gap * this.#batch
    this.#atMs = this.#rate.instantOf(this.#cumulative)
    this.#left = this.#batch - 1
    return this.#atMs
  }
}

/** Complains about everything that is wrong with it. */
export function checkArrivals(arrivals: Arrivals, name: string, problems: Problems): void {
  if ('atMs' in arrivals) {
    const sound = Array.isArray(arrivals.atMs) && arrivals.atMs.every((at) => Number.isFinite(at) && at >= 0)
    if (!sound) problems.add(`${name}.atMs`, 'a list of instants in ms, 0 or later', arrivals.atMs)
    return
  }
  const { perS, spacing, batch } = arrivals
  if (typeof perS !== 'number') checkRateProfile(perS, `${name}.perS`, problems)
  else if (!(Number.isFinite(perS) && perS >= 0)) problems.add(`${name}.perS`, 'a finite rate of 0 or more', perS)
  if (spacing !== undefined && !['poisson', 'constant'].includes(spacing))
    problems.add(`${name}.spacing`, 'one of poisson, constant', spacing)
  if (batch !== undefined && !(Number.isInteger(batch) && batch >= 1))
    problems.add(`${name}.batch`, 'a whole number from 1', batch)
}
