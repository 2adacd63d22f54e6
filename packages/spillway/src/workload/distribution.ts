// How long things take, how many there are, how patient people are: distributions as plain data, sampled by inversion so
// that one request takes the same number of draws under every policy. Logarithm and exponential are the portable ones: the
// same seed must give the same trace on every version of Node.

import type { Problems } from '../core/problems.ts'
import type { RandomStream } from '../core/runtime.ts'
import { exp, ln, power } from '../structures/portable-math.ts'

/** All values in the unit of what is drawn, mostly ms. */
export type Distribution =
  | { readonly kind: 'constant'; readonly value: number }
  | { readonly kind: 'exponential'; readonly mean: number }
  /** By mean and coefficient of variation (standard deviation ÷ mean). */
  | { readonly kind: 'lognormal'; readonly mean: number; readonly cv: number }
  /** Pareto with exponent a, cut to [min, max]: a near 1 is the tail of a service that sometimes takes forever. */
  | { readonly kind: 'bounded-pareto'; readonly a: number; readonly min: number; readonly max: number }
  /** `share` of the draws are `high`, the others `low`. */
  | { readonly kind: 'bimodal'; readonly low: number; readonly high: number; readonly share: number }
  /** One of the values, all equally likely: what was measured. */
  | { readonly kind: 'empirical'; readonly values: readonly number[] }

export const constant = (value: number): Distribution => ({ kind: 'constant', value })
export const exponential = (mean: number): Distribution => ({ kind: 'exponential', mean })
export const lognormal = (mean: number, cv: number): Distribution => ({ kind: 'lognormal', mean, cv })
export const boundedPareto = (a: number, min: number, max: number): Distribution => ({
  kind: 'bounded-pareto',
  a,
  min,
  max,
})
export const bimodal = (low: number, high: number, share: number): Distribution => ({
  kind: 'bimodal',
  low,
  high,
  share,
})
export const empirical = (values: readonly number[]): Distribution => ({ kind: 'empirical', values })

/** Draws values of one distribution. */
export interface Sampler {
  sample(random: RandomStream): number
}

class ConstantSampler implements Sampler {
  readonly #value: number
  constructor(value: number) {
    this.#value = value
  }
  sample(): number {
    return this.#value
  }
}

class ExponentialSampler implements Sampler {
  readonly #mean: number
  constructor(mean: number) {
    this.#mean = mean
  }
  sample(random: RandomStream): number {
    return -this.#mean * ln(1 - random.next())
  }
}

class LognormalSampler implements Sampler {
  readonly #mu: number
  readonly #sigma: number
  constructor(mean: number, cv: number) {
    const variance = ln(1 + cv * cv)
    this.#mu = ln(mean) - variance / 2
    this.#sigma = Math.sqrt(variance)
  }
  sample(random: RandomStream): number {
    return exp(this.#mu + this.#sigma * normal(random))
  }
}

class BoundedParetoSampler implements Sampler {
  readonly #a: number
  readonly #min: number
  readonly #cut: number
  constructor(a: number, min: number, max: number) {
    this.#a = a
    this.#min = min
    this.#cut = 1 - power(min / max, a)
  }
  sample(random: RandomStream): number {
    return this.#min * power(1 - random.next() * this.#cut, -1 / this.#a)
  }
}

class BimodalSampler implements Sampler {
  readonly #low: number
  readonly #high: number
  readonly #share: number
  constructor(low: number, high: number, share: number) {
    this.#low = low
    this.#high = high
    this.#share = share
  }
  sample(random: RandomStream): number {
    return random.next() < this.#share ? this.#high : this.#low
  }
}

class EmpiricalSampler implements Sampler {
  readonly #values: readonly number[]
  constructor(values: readonly number[]) {
    this.#values = values
  }
  sample(random: RandomStream): number {
    return this.#values[Math.floor(random.next() * this.#values.length)] as number
  }
}

export function samplerOf(distribution: Distribution): Sampler {
  switch (distribution.kind) {
    case 'constant':
      return new ConstantSampler(distribution.value)
    case 'exponential':
      return new ExponentialSampler(distribution.mean)
    case 'lognormal':
      return new LognormalSampler(distribution.mean, distribution.cv)
    case 'bounded-pareto':
      return new BoundedParetoSampler(distribution.a, distribution.min, distribution.max)
    case 'bimodal':
      return new BimodalSampler(distribution.low, distribution.high, distribution.share)
    case 'empirical':
      return new EmpiricalSampler(distribution.values)
  }
}

export function meanOf(distribution: Distribution): number {
  return moment(distribution, 1)
}

/** Squared coefficient of variation: variance ÷ mean². */
export function squaredCvOf(distribution: Distribution): number {
  const mean = meanOf(distribution)
  return mean === 0 ? 0 : moment(distribution, 2) / (mean * mean) - 1
}

/** Complains about everything that is wrong with it. `name` is the field it came in. */
export function checkDistribution(distribution: Distribution, name: string, problems: Problems): void {
  const kinds = Object.keys(fieldsOf)
  const fields = fieldsOf[distribution?.kind]
  if (fields === undefined) {
    problems.add(`${name}.kind`, `one of ${kinds.join(', ')}`, distribution?.kind)
    return
  }
  for (const [field, [right, accepts]] of Object.entries(fields)) {
    const value = (distribution as unknown as Record<string, unknown>)[field]
    if (!accepts(value)) problems.add(`${name}.${field}`, right, value)
  }
  if (distribution.kind === 'bounded-pareto' && !(distribution.min < distribution.max))
    problems.add(`${name}.max`, `more than min (${distribution.min})`, distribution.max)
}

type FieldRule = readonly [right: string, accepts: (value: unknown) => boolean]

const notNegative: FieldRule = [
  'a finite number of 0 or more',
  (value) => Number.isFinite(value) && (value as number) >= 0,
]
const positive: FieldRule = ['a finite number above 0', (value) => Number.isFinite(value) && (value as number) > 0]
const shareOfOne: FieldRule = ['a share from 0 to 1', (value) => (value as number) >= 0 && (value as number) <= 1]
const measured: FieldRule = [
  'a list of one or more finite numbers of 0 or more',
  (value) => Array.isArray(value) && value.length > 0 && value.every(notNegative[1]),
]

const fieldsOf: Record<Distribution['kind'], Readonly<Record<string, FieldRule>>> = {
  constant: { value: notNegative },
  exponential: { mean: notNegative },
  lognormal: { mean: positive, cv: notNegative },
  'bounded-pareto': { a: positive, min: positive, max: positive },
  bimodal: { low: notNegative, high: notNegative, share: shareOfOne },
  empirical: { values: measured },
}

function moment(distribution: Distribution, order: 1 | 2): number {
  switch (distribution.kind) {
    case 'constant':
      return distribution.value ** order
    case 'exponential':
      return order * distribution.mean ** order
    case 'lognormal':
      return order === 1 ? distribution.mean : distribution.mean ** 2 * (1 + distribution.cv ** 2)
    case 'bounded-pareto':
      return paretoMoment(distribution.a, distribution.min, distribution.max, order)
    case 'bimodal':
      return (1 - distribution.share) * distribution.low ** order + distribution.share * distribution.high ** order
    case 'empirical':
      return distribution.values.reduce((sum, value) => sum + value ** order, 0) / distribution.values.length
  }
}

// ∫ xᵏ a minᵃ x^(−a−1) dx ÷ (1 − (min/max)ᵃ), whose antiderivative is a logarithm where a = k.
function paretoMoment(a: number, min: number, max: number, order: number): number {
  const scale = (a * power(min, a)) / (1 - power(min / max, a))
  return a === order ? scale * ln(max / min) : (scale * (power(max, order - a) - power(min, order - a))) / (order - a)
}

// Marsaglia's polar method would take a varying number of draws; the sum of twelve uniforms has no tail. This is the
// inverse of the normal distribution by P. J. Acklam's rational approximation, relative error below 1.2e-9: one draw.
function normal(random: RandomStream): number {
  const p = Math.max(random.next(), 2 ** -54)
  if (p < 0.02425) return normalTail(Math.sqrt(-2 * ln(p)))
  if (p > 1 - 0.02425) return -normalTail(Math.sqrt(-2 * ln(1 - p)))
  const q = p - 0.5
  const r = q * q
  const top =
    ((((-39.69683028665376 * r + 220.9460984245205) * r - 275.9285104469687) * r + 138.357751867269) * r -
      30.66479806614716) *
      r +
    2.506628277459239
  const bottom =
    ((((-54.47609879822406 * r + 161.5858368580409) * r - 155.6989798598866) * r + 66.80131188771972) * r -
      13.28068155288572) *
      r +
    1
  return (top * q) / bottom
}

function normalTail(q: number): number {
  const top =
    ((((-0.007784894002430293 * q - 0.3223964580411365) * q - 2.400758277161838) * q - 2.549732539343734) * q +
      4.374664141464968) *
      q +
    2.938163982698783
  const bottom =
    (((0.007784695709041462 * q + 0.3224671290700398) * q + 2.445134137142996) * q + 3.754408661907416) * q + 1
  return top / bottom
}
