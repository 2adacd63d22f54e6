import { describe, expect, it } from 'vitest'
import { deadlineAfter } from './deadline.ts'
import { Permit } from './permit.ts'
import type { Outcome } from './sample.ts'
import { ServiceTime, ServiceTimes } from './service-times.ts'

function ended(times: ServiceTimes, holdMs: number, outcome: Outcome = 'success', arrival = {}): Permit {
  const owner = { end: () => true, now: () => 0 }
  const permit = new Permit(
    arrival,
    deadlineAfter(0, 1000),
    0,
    0,
    1,
    times.of((arrival as { class?: string }).class),
    owner,
  )
  permit.endedAt = holdMs
  permit.outcome = outcome
  return permit
}

describe('the service time of a class', () => {
  it('is unknown until five successes, and then near the fifth that is quickest', () => {
    const time = new ServiceTime()
    for (let index = 1; index <= 4; index++) time.recordSuccess(100, index)
    expect(time.feasibleMs).toBe(0)
    time.recordSuccess(100, 5)
    expect(time.feasibleMs).toBeGreaterThan(94)
    expect(time.feasibleMs).toBeLessThan(106)
    for (let index = 0; index < 100; index++) time.recordSuccess(index < 50 ? 40 : 200, 6)
    expect(time.feasibleMs).toBeGreaterThan(37)
    expect(time.feasibleMs).toBeLessThan(43)
  })

  it('is not tried again while successes come in', () => {
    const time = new ServiceTime()
    for (let now = 0; now <= 10_000; now += 999) {
      time.recordSuccess(100, now)
      expect(time.tryAgain(now + 998)).toBe(false)
    }
  })

  it('is tried again after a second, or after twice its length when that is more', () => {
    const [quick, slow] = [new ServiceTime(), new ServiceTime()]
    for (let index = 0; index < 5; index++) {
      quick.recordSuccess(100, 0)
      slow.recordSuccess(4000, 0)
    }
    expect([quick.tryAgain(999), quick.tryAgain(1000)]).toEqual([false, true])
    expect([slow.tryAgain(7000), slow.tryAgain(9000)]).toEqual([false, true])
  })

  it('is forgotten when a trial takes less than half of it, and kept when it takes longer', () => {
    for (const [trialMs, forgotten] of [
      [45, true],
      [60, false],
    ] as const) {
      const time = new ServiceTime()
      for (let index = 0; index < 200; index++) time.recordSuccess(100, 0)
      expect(time.feasibleMs).toBeGreaterThan(90)
      expect(time.tryAgain(5000)).toBe(true)
      time.recordSuccess(trialMs, 5050)
      expect(time.feasibleMs === 0).toBe(forgotten)
    }
  })

  it('is not forgotten for a quick success that was no trial', () => {
    const time = new ServiceTime()
    for (let index = 0; index < 200; index++) time.recordSuccess(100, 0)
    time.recordSuccess(1, 1)
    expect(time.feasibleMs).toBeGreaterThan(90)
  })
})

describe('service times', () => {
  it('tell at most as many classes apart as they were told, whoever chooses the names', () => {
    const times = new ServiceTimes(2)
    const [a, b] = [times.of('a'), times.of('b')]
    const others = Array.from({ length: 1000 }, (_, index) => times.of(`stranger ${index}`))
    expect(new Set(others).size).toBe(1)
    expect(new Set([a, b, others[0], times.of(undefined)]).size).toBe(4)
    expect([times.of('a'), times.of('b')]).toEqual([a, b])
    expect(new ServiceTimes(0).of('a')).not.toBe(new ServiceTimes(0).of(undefined))
  })

  it('learn how quickly work is done from successes alone, and how long a slot is held from everything', () => {
    const times = new ServiceTimes(1)
    for (let index = 0; index < 50; index++) {
      times.record(ended(times, 100), true)
      times.record(ended(times, 1, 'ignored'), true)
      times.record(ended(times, 1), false)
    }
    expect(times.of(undefined).feasibleMs).toBeGreaterThan(90)
    // A third of the slots' time is held for 100 ms, the rest for 1 ms: 34 ms on average.
    const perUnitMs = times.waitMs(1, 1) - times.waitMs(0, 1)
    expect(perUnitMs).toBeGreaterThan(20)
    expect(perUnitMs).toBeLessThan(50)
  })

  it('estimate the wait of a newcomer: half a service time for what runs, and what stands in front of it', () => {
    const times = new ServiceTimes(1)
    expect(times.waitMs(20, 5)).toBe(0)
    for (let index = 0; index < 200; index++) times.record(ended(times, 50), true)
    expect(times.waitMs(0, 5)).toBeCloseTo(5, 9)
    expect(times.waitMs(15, 5)).toBeCloseTo(155, 9)
  })

  it('count a unit of cost, not an arrival, where arrivals weigh more', () => {
    const times = new ServiceTimes(1)
    for (let index = 0; index < 200; index++) times.record(ended(times, 50, 'success', { cost: 5 }), true)
    expect(times.waitMs(4, 1) - times.waitMs(3, 1)).toBeCloseTo(50, 9)
  })
})
