// Expected values are those of tables and of other software (R's qt, qnorm and binom.confint, Python's statistics).
import { describe, expect, it } from 'vitest'
import {
  mean,
  meanInterval,
  normalQuantile,
  quantile,
  studentQuantile,
  variance,
  wilsonInterval,
} from './statistics.ts'

describe('statistics', () => {
  it.each([
    [0.5, 0],
    [0.841344746068543, 1],
    [0.975, 1.9599639845400545],
    [0.995, 2.5758293035489004],
    [0.9995, 3.2905267314919255],
    [0.025, -1.9599639845400545],
  ])('finds the normal quantile of %s', (p, expected) => {
    expect(normalQuantile(p)).toBeCloseTo(expected, 12)
  })

  it.each([
    [0.975, 1, 12.706204736174698],
    [0.975, 2, 4.302652729749464],
    [0.975, 4, 2.7764451051977934],
    [0.975, 29, 2.045229642132703],
    [0.995, 19, 2.8609346064649794],
    [0.95, 9, 1.8331129326536333],
    [0.025, 4, -2.7764451051977934],
    [0.975, 1000, 1.9623390808264078],
    [0.5, 3, 0],
  ])("finds Student's quantile of %s with %s degrees of freedom", (p, df, expected) => {
    expect(studentQuantile(p, df)).toBeCloseTo(expected, 9)
  })

  it('gives the interval of a mean over replications', () => {
    const values = [9.8, 10.2, 10.4, 9.8, 10.0, 10.2]
    expect(mean(values)).toBeCloseTo(10.0667, 4)
    expect(variance(values)).toBeCloseTo(0.058667, 6)
    const { low, high } = meanInterval(values) ?? { low: NaN, high: NaN }
    expect(low).toBeCloseTo(9.81248, 4)
    expect(high).toBeCloseTo(10.32085, 4)
  })

  it('has no interval below two values, and no mean of none', () => {
    expect(meanInterval([3])).toBeUndefined()
    expect(mean([])).toBeNaN()
    expect(variance([3])).toBeNaN()
  })

  it.each([
    [0, 30, 0, 0.11351],
    [30, 30, 0.88649, 1],
    [15, 30, 0.33154, 0.66846],
    [3, 30, 0.0346, 0.25621],
    [4, 30, 0.0531, 0.29681],
    [1, 5, 0.03622, 0.62447],
    [0, 0, 0, 1],
  ])("gives Wilson's interval of %s in %s", (successes, trials, low, high) => {
    const bounds = wilsonInterval(successes, trials)
    expect(bounds.low).toBeCloseTo(low, 5)
    expect(bounds.high).toBeCloseTo(high, 5)
  })

  it('interpolates quantiles between ranks, whatever the order', () => {
    expect(quantile([4, 1, 3, 2], 0.5)).toBe(2.5)
    expect(quantile([4, 1, 3, 2], 0)).toBe(1)
    expect(quantile([4, 1, 3, 2], 1)).toBe(4)
    expect(quantile([7], 0.99)).toBe(7)
    expect(quantile([], 0.5)).toBeUndefined()
  })
})
