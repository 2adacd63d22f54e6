import { expect, test } from 'vitest'
import { drawArrivals } from './arrivals.ts'
import { fullPlan, planOf } from './plan.ts'

test('the same seed draws the same arrivals and the same labels', () => {
  expect(drawArrivals(fullPlan, 7)).toEqual(drawArrivals(fullPlan, 7))
})

test('another seed draws other arrivals', () => {
  const one = drawArrivals(fullPlan, 7).intendedMs
  const other = drawArrivals(fullPlan, 8).intendedMs
  expect([...one.slice(0, 10)]).not.toEqual([...other.slice(0, 10)])
})

test('arrivals ascend and stay within the plan', () => {
  const { intendedMs } = drawArrivals(fullPlan, 1)
  for (let i = 1; i < intendedMs.length; i++) expect(intendedMs[i]!).toBeGreaterThanOrEqual(intendedMs[i - 1]!)
  expect(intendedMs[0]!).toBeGreaterThanOrEqual(0)
  expect(intendedMs.at(-1)!).toBeLessThan(fullPlan.durationMs)
})

test('gaps are exponential: their mean is the rate, and their spread is as wide as their mean', () => {
  const { intendedMs } = drawArrivals(planOf([[200, 500]]), 3)
  const gaps = Array.from(intendedMs, (at, i) => at - (i === 0 ? 0 : intendedMs[i - 1]!))
  const mean = gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length
  const deviation = Math.sqrt(gaps.reduce((sum, gap) => sum + (gap - mean) ** 2, 0) / gaps.length)
  expect(mean).toBeGreaterThan(5 * 0.97)
  expect(mean).toBeLessThan(5 * 1.03)
  expect(deviation / mean).toBeGreaterThan(0.95)
  expect(deviation / mean).toBeLessThan(1.05)
})

test('every phase is offered at its own rate', () => {
  const { intendedMs } = drawArrivals(fullPlan, 1)
  for (const phase of fullPlan.phases) {
    const count = intendedMs.filter((at) => at >= phase.fromMs && at < phase.toMs).length
    const expected = (phase.ratePerS * (phase.toMs - phase.fromMs)) / 1000
    // Four standard deviations of a Poisson count.
    expect(Math.abs(count - expected)).toBeLessThan(4 * Math.sqrt(expected))
  }
})

test('a quarter of the callers is critical', () => {
  const { critical } = drawArrivals(planOf([[1000, 40]]), 5)
  const share = critical.reduce((sum, label) => sum + label, 0) / critical.length
  expect(share).toBeGreaterThan(0.24)
  expect(share).toBeLessThan(0.26)
})
