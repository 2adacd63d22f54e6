// Arrivals against the rates they were made from.

import { describe, expect, it } from 'vitest'
import { Problems } from '../core/problems.ts'
import { SeededStream } from '../structures/prng.ts'
import { type Arrivals, arrivalStreamOf, checkArrivals } from './arrivals.ts'
import { burstTrain, CumulativeRate, inSteps, type RateProfile, requestsBetween, spike } from './rate-profile.ts'

function instantsOf(arrivals: Arrivals, untilMs: number, seed = 1): number[] {
  const stream = arrivalStreamOf(arrivals, new SeededStream(seed, 'arrivals'))
  const instants: number[] = []
  for (let at = stream.next(); at < untilMs; at = stream.next()) instants.push(at)
  return instants
}

const between = (instants: readonly number[], fromMs: number, toMs: number): number =>
  instants.filter((at) => at >= fromMs && at < toMs).length

describe('arrivals', () => {
  it('spaces evenly at a constant rate, away from the edges', () => {
    const instants = instantsOf({ perS: 80, spacing: 'constant' }, 5000)
    expect(instants.length).toBe(400)
    expect(instants[0]).toBeCloseTo(6.25, 9)
    expect((instants[399] as number) - (instants[398] as number)).toBeCloseTo(12.5, 9)
  })

  it.each<[string, RateProfile]>([
    [
      'a ramp',
      inSteps([
        { lengthMs: 60_000, perS: 0, toPerS: 1200 },
        { lengthMs: 60_000, perS: 1200, toPerS: 0 },
      ]),
    ],
    [
      'steps',
      inSteps([
        { lengthMs: 10_000, perS: 200 },
        { lengthMs: 10_000, perS: 400 },
        { lengthMs: 10_000, perS: 0 },
      ]),
    ],
    ['a spike', spike(280, 4000, 20_000, 1000)],
    ['a burst train', burstTrain(200, 4000, { fromMs: 20_000, burstMs: 200, everyMs: 2000, count: 10 })],
    ['on and off', burstTrain(0, 500, { fromMs: 0, burstMs: 1000, everyMs: 3000, count: 20 })],
  ])('follows %s, evenly and at random', (_, perS) => {
    const evenly = instantsOf({ perS, spacing: 'constant' }, 60_000)
    const random = instantsOf({ perS }, 60_000)
    for (let fromMs = 0; fromMs < 60_000; fromMs += 500) {
      const wanted = requestsBetween(perS, fromMs, fromMs + 500)
      expect(Math.abs(between(evenly, fromMs, fromMs + 500) - wanted)).toBeLessThanOrEqual(1.001)
      expect(Math.abs(between(random, fromMs, fromMs + 500) - wanted)).toBeLessThan(5 * Math.sqrt(wanted) + 1)
    }
  })

  it('is a Poisson process at a constant rate: gaps have their mean for a standard deviation', () => {
    const instants = instantsOf({ perS: 1000 }, 200_000)
    const gaps = instants.slice(1).map((at, index) => at - (instants[index] as number))
    const mean = gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length
    const variance = gaps.reduce((sum, gap) => sum + (gap - mean) ** 2, 0) / gaps.length
    expect(mean).toBeCloseTo(1, 1)
    expect(Math.sqrt(variance) / mean).toBeCloseTo(1, 1)
  })

  it('brings batches at one instant, as many requests as the rate says', () => {
    const instants = instantsOf({ perS: 400, batch: 40 }, 100_000)
    expect(instants.length % 40).toBe(0)
    expect(new Set(instants).size).toBe(instants.length / 40)
    expect(Math.abs(instants.length - 40_000)).toBeLessThan(40 * 5 * Math.sqrt(1000))
  })

  it('ends where the rate ends, and waits through a pause', () => {
    const perS = inSteps([
      { lengthMs: 1000, perS: 10 },
      { lengthMs: 1000, perS: 0 },
      { lengthMs: 1000, perS: 10 },
    ])
    const instants = instantsOf({ perS, spacing: 'constant' }, Infinity)
    expect(instants.length).toBe(20)
    expect(between(instants, 1000, 2000)).toBe(0)
  })

  it('replays recorded instants in order, whatever order they come in', () => {
    expect(instantsOf({ atMs: [30, 10, 10, 20] }, Infinity)).toEqual([10, 10, 20, 30])
  })

  it('shares its random numbers between loads: twice the rate has the same instants at half the time', () => {
    const slow = instantsOf({ perS: 100 }, 10_000)
    const fast = instantsOf({ perS: 200 }, 5000)
    expect(fast.length).toBe(slow.length)
    fast.forEach((at, index) => {
      expect(at * 2).toBeCloseTo(slow[index] as number, 6)
    })
  })

  it('inverts where two rates agree, and on a segment that starts from nothing', () => {
    const rate = new CumulativeRate([
      { atMs: 0, perS: 0 },
      { atMs: 1000, perS: 2 },
      { atMs: 2000, perS: 2 },
    ])
    expect([0.25, 1, 2, 3].map((count) => rate.instantOf(count))).toEqual([500, 1000, 1500, 2000])
  })

  it('refuses negative rates and times that go back, all at once', () => {
    const problems = new Problems()
    checkArrivals(
      {
        perS: [
          { atMs: 5, perS: -1 },
          { atMs: 2, perS: 1 },
        ],
        batch: 0,
      },
      'arrivals',
      problems,
    )
    expect(`${problems}`).toBe(
      'arrivals.perS[0].perS must be a finite rate of 0 per second or more, got -1; ' +
        'arrivals.perS[1].atMs must be a number of ms, not before the point in front of it (5), got 2; ' +
        'arrivals.batch must be a whole number from 1, got 0',
    )
  })
})
