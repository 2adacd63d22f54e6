// Every distribution against its own mean and coefficient of variation.

import { describe, expect, it } from 'vitest'
import { Problems } from '../core/problems.ts'
import { SeededStream } from '../structures/prng.ts'
import {
  bimodal,
  boundedPareto,
  checkDistribution,
  constant,
  type Distribution,
  empirical,
  exponential,
  lognormal,
  meanOf,
  samplerOf,
  squaredCvOf,
} from './distribution.ts'

const all: readonly Distribution[] = [
  constant(20),
  exponential(20),
  lognormal(20, 0.5),
  lognormal(20, 2),
  boundedPareto(1.1, 4.5, 2000),
  boundedPareto(1, 5, 500),
  boundedPareto(2, 5, 500),
  bimodal(5, 200, 0.1),
  empirical([1, 2, 3, 30]),
]

describe('distributions', () => {
  it.each(all)('$kind has the mean and the spread it says (%o)', (distribution) => {
    const random = new SeededStream(5, 'distribution')
    const sampler = samplerOf(distribution)
    const n = 400_000
    let [sum, squares] = [0, 0]
    for (let i = 0; i < n; i++) {
      const x = sampler.sample(random)
      sum += x
      squares += x * x
    }
    const mean = meanOf(distribution)
    const squaredCv = squaredCvOf(distribution)
    expect(Math.abs(sum / n / mean - 1)).toBeLessThan(5 * Math.sqrt(squaredCv / n) + 1e-9)
    expect(Math.abs(squares / n / (mean * mean) / (1 + squaredCv) - 1)).toBeLessThan(0.12)
  })

  it('gives the reference service of heavy tails a mean near its 20 ms', () => {
    // a = 1.1 from 4.5 ms to 2 s: the catalogue's S10.
    expect(meanOf(boundedPareto(1.1, 4.5, 2000))).toBeGreaterThan(20)
    expect(meanOf(boundedPareto(1.1, 4.5, 2000))).toBeLessThan(25)
  })

  it('keeps bounded Pareto within its bounds', () => {
    const random = new SeededStream(6, 'pareto')
    const sampler = samplerOf(boundedPareto(1.1, 4.5, 2000))
    for (let i = 0; i < 100_000; i++) {
      const x = sampler.sample(random)
      expect(x >= 4.5 && x <= 2000.000001).toBe(true)
    }
  })

  it('has its median at one half, which the record relies on', () => {
    const half = { next: () => 0.5 }
    expect(samplerOf(exponential(20)).sample(half)).toBeCloseTo(20 * Math.LN2, 12)
    expect(samplerOf(lognormal(20, 1)).sample(half)).toBeCloseTo(20 / Math.SQRT2, 6)
  })

  it.each([
    [{ kind: 'exponential', mean: -1 }, 'workMs.mean must be a finite number of 0 or more, got -1'],
    [{ kind: 'bounded-pareto', a: 1, min: 5, max: 4 }, 'workMs.max must be more than min (5), got 4'],
    [{ kind: 'bimodal', low: 1, high: 2, share: 1.5 }, 'workMs.share must be a share from 0 to 1, got 1.5'],
    [
      { kind: 'empirical', values: [] },
      'workMs.values must be a list of one or more finite numbers of 0 or more, got []',
    ],
    [{ kind: 'gamma' }, 'workMs.kind must be one of constant, exponential, lognormal'],
  ])('refuses %o', (distribution, message) => {
    const problems = new Problems()
    checkDistribution(distribution as unknown as Distribution, 'workMs', problems)
    expect(`${problems}`).toContain(message)
  })
})
