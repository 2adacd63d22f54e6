import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { FadingHistogram } from './histogram.ts'

describe('the fading histogram', () => {
  it('remembers 256 samples at least once it has seen as many, however far apart they lie', () => {
    const durations = fc.double({ min: 2 ** -10, max: 2 ** 22, noNaN: true })
    fc.assert(
      fc.property(fc.array(durations, { minLength: 300, maxLength: 1500 }), (values) => {
        const histogram = new FadingHistogram()
        for (const [index, value] of values.entries()) {
          histogram.record(value)
          expect(histogram.count).toBeGreaterThanOrEqual(Math.min(index + 1, 256))
          expect(histogram.count).toBeLessThan(512)
        }
      }),
      { numRuns: 30 },
    )
  })

  it('keeps its quantiles when it fades, also when every sample is alone in its bucket', () => {
    const histogram = new FadingHistogram()
    // 511 values, one a bucket; the 512th makes it fade.
    for (let index = 0; index < 511; index++) histogram.record(2 ** (-10 + index / 16) * 1.01)
    const before = [0.1, 0.25, 0.5, 0.9].map((q) => histogram.quantile(q))
    histogram.record(2 ** 21.97)
    expect(histogram.count).toBe(256)
    for (const [index, q] of [0.1, 0.25, 0.5, 0.9].entries()) {
      // Within two buckets of a sixteenth of an octave each.
      const ratio = histogram.quantile(q) / (before[index] as number)
      expect(Math.abs(Math.log2(ratio))).toBeLessThan(2 / 16)
    }
  })

  it('never has a quantile below a smaller one, outside its samples, or not finite', () => {
    const anything = fc.oneof(
      fc.double(),
      fc.double({ min: 0, max: 1e5, noNaN: true }),
      fc.constantFrom(0, 1, 2, 4, 1024),
    )
    fc.assert(
      fc.property(fc.array(anything, { minLength: 1, maxLength: 600 }), (values) => {
        const histogram = new FadingHistogram()
        for (const value of values) histogram.record(value)
        const quantiles = [0, 0.01, 0.2, 0.5, 0.9, 1].map((q) => histogram.quantile(q))
        for (const [index, quantile] of quantiles.entries()) {
          expect(Number.isFinite(quantile)).toBe(true)
          expect(quantile).toBeGreaterThanOrEqual(quantiles[index - 1] ?? 0)
          expect(quantile).toBeLessThanOrEqual(2 ** 22)
        }
      }),
    )
  })

  it('is within a sixteenth of the truth for every single duration from a microsecond to an hour', () => {
    fc.assert(
      fc.property(fc.double({ min: 2 ** -10, max: 3_600_000, noNaN: true }), (value) => {
        const histogram = new FadingHistogram()
        histogram.record(value)
        for (const q of [0, 0.5, 1]) expect(Math.abs(histogram.quantile(q) - value) / value).toBeLessThanOrEqual(1 / 16)
      }),
    )
  })
})
