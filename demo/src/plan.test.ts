import { expect, test } from 'vitest'
import { dropsOf, fullPlan, planOf, quickPlan, windowsOf } from './plan.ts'

test('the full plan is the incident: 80, 200, 80, 1000 and 80 a second', () => {
  expect(fullPlan.phases.map(({ ratePerS, fromMs, toMs }) => [ratePerS, fromMs, toMs])).toEqual([
    [80, 0, 5000],
    [200, 5000, 15_000],
    [80, 15_000, 25_000],
    [1000, 25_000, 30_000],
    [80, 30_000, 35_000],
  ])
  expect(fullPlan.durationMs).toBe(35_000)
})

test('the quick plan keeps both overloads and a drop after each', () => {
  expect(quickPlan.phases.map(({ ratePerS }) => ratePerS)).toEqual([80, 200, 80, 1000, 80])
  expect(quickPlan.durationMs).toBeLessThanOrEqual(12_000)
})

test('windows are the phases cut at five seconds', () => {
  expect(windowsOf(fullPlan).map(({ fromMs, toMs }) => [fromMs / 1000, toMs / 1000])).toEqual([
    [0, 5],
    [5, 10],
    [10, 15],
    [15, 20],
    [20, 25],
    [25, 30],
    [30, 35],
  ])
})

test('a phase that is no multiple of five seconds keeps its short end, and no window spans two phases', () => {
  const windows = windowsOf(
    planOf([
      [10, 7],
      [20, 2],
    ]),
  )
  expect(windows.map(({ ratePerS, fromMs, toMs }) => [ratePerS, fromMs, toMs])).toEqual([
    [10, 0, 5000],
    [10, 5000, 7000],
    [20, 7000, 9000],
  ])
})

test('drops are the phases with less load than the one before', () => {
  expect(dropsOf(fullPlan).map(({ fromMs }) => fromMs)).toEqual([15_000, 30_000])
})
