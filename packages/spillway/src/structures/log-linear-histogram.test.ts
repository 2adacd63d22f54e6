// The precise histogram against sorting.

import { describe, expect, it } from 'vitest'
import { LogLinearHistogram } from './log-linear-histogram.ts'
import { SeededStream } from './prng.ts'

describe('log-linear histogram', () => {
  it('is within half a per cent of nearest rank, from microseconds to an hour', () => {
    const random = new SeededStream(3, 'histogram')
    const histogram = new LogLinearHistogram()
    const values = Float64Array.from({ length: 20_000 }, () => Math.exp(20 * random.next() - 6))
    for (const value of values) histogram.record(value)
    values.sort()
    for (const q of [0.001, 0.01, 0.25, 0.5, 0.9, 0.99, 0.999]) {
      const exact = values[Math.ceil(q * values.length) - 1] as number
      expect(Math.abs((histogram.quantile(q) as number) / exact - 1)).toBeLessThan(0.005)
    }
    expect(histogram.quantile(1)).toBe(values.at(-1))
    expect(histogram.max).toBe(values.at(-1))
  })

  it('keeps count, mean and maximum exactly', () => {
    const histogram = new LogLinearHistogram()
    for (const value of [1, 2, 3, 10]) histogram.record(value)
    expect([histogram.count, histogram.mean, histogram.max]).toEqual([4, 4, 10])
  })

  it('knows nothing when empty, and puts zero at zero', () => {
    const histogram = new LogLinearHistogram()
    expect(histogram.quantile(0.5)).toBeUndefined()
    histogram.record(0)
    histogram.record(0)
    expect(histogram.quantile(0.5)).toBe(0)
  })

  it('merges', () => {
    const [a, b] = [new LogLinearHistogram(), new LogLinearHistogram()]
    a.record(1)
    b.record(3)
    a.merge(b)
    expect([a.count, a.mean, a.max]).toEqual([2, 2, 3])
  })
})
