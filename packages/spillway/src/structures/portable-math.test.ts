// The portable logarithm and exponential against the engine's own.

import { describe, expect, it } from 'vitest'
import { exp, ln, power } from './portable-math.ts'
import { SeededStream } from './prng.ts'

const relative = (got: number, wanted: number): number => Math.abs(got - wanted) / Math.max(1e-300, Math.abs(wanted))

describe('portable mathematics', () => {
  it('takes logarithms to within two units in the last place', () => {
    const random = new SeededStream(1, 'ln')
    for (let i = 0; i < 100_000; i++) {
      const x = Math.exp(200 * (random.next() - 0.5))
      expect(Math.abs(ln(x) - Math.log(x))).toBeLessThanOrEqual(4.5e-16 * Math.max(1, Math.abs(Math.log(x))))
    }
    expect([ln(1), ln(0), ln(-1), ln(Infinity)]).toEqual([0, -Infinity, Number.NaN, Infinity])
  })

  it('takes exponentials to within two units in the last place', () => {
    const random = new SeededStream(2, 'exp')
    for (let i = 0; i < 100_000; i++) {
      const x = 1400 * (random.next() - 0.5)
      expect(relative(exp(x), Math.exp(x))).toBeLessThan(5e-16 * (1 + Math.abs(x)))
    }
    expect([exp(0), exp(-1000), exp(1000)]).toEqual([1, 0, Infinity])
  })

  it('raises to powers', () => {
    expect(power(2, 10)).toBeCloseTo(1024, 9)
    expect(power(9, 0.5)).toBeCloseTo(3, 12)
  })
})
