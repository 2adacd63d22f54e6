import { describe, expect, it } from 'vitest'
import { SeededStream } from '../structures/prng.ts'
import { BackOff, wholeMs } from './back-off.ts'

/** The mean advice after many arrivals of which `refused` in ten were refused. */
function meanAdviceMs(refused: number, draws = 4000): number {
  const backOff = new BackOff(new SeededStream(1, 'back-off'))
  let sum = 0
  for (let index = 0; index < draws + 1000; index++) {
    if (index % 10 < refused) backOff.countRefused()
    else backOff.countAdmitted()
    if (index >= 1000) sum += backOff.adviseMs()
  }
  return sum / draws
}

describe('the advice to come back', () => {
  it('grows with the excess: a second times offered over served', () => {
    expect(meanAdviceMs(0) / 1000).toBeCloseTo(1, 1)
    expect(meanAdviceMs(5) / 2000).toBeCloseTo(1, 1)
    expect(meanAdviceMs(9) / 10_000).toBeCloseTo(1, 0)
  })

  it('is never below half a second nor above half a minute, and a whole number', () => {
    const backOff = new BackOff(new SeededStream(2, 'back-off'))
    for (let index = 0; index < 5000; index++) {
      const adviceMs = backOff.adviseMs()
      expect(adviceMs).toBeGreaterThanOrEqual(500)
      expect(adviceMs).toBeLessThanOrEqual(30_000)
      expect(Number.isInteger(adviceMs)).toBe(true)
      if (index < 2500) backOff.countRefused()
      else backOff.countAdmitted()
    }
    expect(backOff.adviseMs()).toBeLessThanOrEqual(1500)
  })

  it('does not bring back together those who were refused together', () => {
    const backOff = new BackOff(new SeededStream(3, 'back-off'))
    const advice = new Set(Array.from({ length: 200 }, () => backOff.adviseMs()))
    expect(advice.size).toBeGreaterThan(150)
  })
})

describe('whole milliseconds', () => {
  it.each([
    [0.1, 1],
    [1, 1],
    [0, 0],
    [-0.5, 0],
    [-1.5, -1],
    [1e12, 2 ** 30 - 1],
    [-1e12, -(2 ** 30 - 1)],
    [Number.NaN, 0],
    [Number.POSITIVE_INFINITY, 2 ** 30 - 1],
  ])('of %s are %s: rounded up, and never NaN', (ms, whole) => {
    expect(wholeMs(ms)).toBe(whole)
    expect(Object.is(wholeMs(ms), -0)).toBe(false)
  })
})
