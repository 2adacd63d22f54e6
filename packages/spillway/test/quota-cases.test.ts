// What rate limiters got wrong, as tests of ours in virtual time.

import { describe, expect, it } from 'vitest'
import { TokenBucketQuota } from '../src/quotas/token-bucket.ts'
import { VirtualRuntime } from '../src/runtime/virtual.ts'
import { createAdmission } from '../src/surface/create-admission.ts'
import { createQuota } from '../src/surface/create-quota.ts'

function setUp(limit: string, burst?: number) {
  const runtime = new VirtualRuntime(3)
  const quota = createQuota({ limit, burst }, runtime)
  return { runtime, take: (key = 'k', cost = 1) => quota.take(key, cost, () => {}), quota }
}

function allowedOf(take: () => { allowed: boolean } | undefined, times: number): number {
  return Array.from({ length: times }, () => take()).filter((answer) => answer?.allowed).length
}

describe('a token bucket', () => {
  it('C52: keeps a limit of ninety days', () => {
    const { runtime, take } = setUp('3/90day')
    const answers = [0, 1, 2, 3].map(() => {
      runtime.advance(1000)
      return take()?.allowed
    })
    expect(answers).toEqual([true, true, true, false])
  })

  it('C54: decides the same whatever the wall clock does', () => {
    const { runtime, take } = setUp('30/h')
    expect(allowedOf(take, 3)).toBe(3)
    for (const step of [-20_000, 20_000, -3_600_000, 3_600_000, 31_536_000_000]) {
      runtime.stepWall(step)
      expect(take()?.allowed).toBe(true)
    }
    expect(allowedOf(take, 40)).toBe(22)
  })

  it('C63: throws no fraction away', () => {
    const fast = setUp('100/s')
    allowedOf(fast.take, 100)
    let allowed = 0
    for (let ms = 0; ms < 10_000; ms += 5) {
      fast.runtime.advance(5)
      if (fast.take()?.allowed) allowed++
    }
    expect(Math.abs(allowed - 1000)).toBeLessThanOrEqual(1)
    const slow = setUp('1/h')
    allowedOf(slow.take, 1)
    let perHour = 0
    for (let second = 0; second < 3600; second++) {
      slow.runtime.advance(1000)
      if (slow.take()?.allowed) perHour++
    }
    expect(perHour).toBe(1)
  })

  it('C65: names no time for a cost that can never fit, and loses nothing for it', () => {
    const { take } = setUp('5/s')
    expect(take('k', 6)).toEqual({ allowed: false, retryAfterMs: undefined })
    expect(allowedOf(take, 6)).toBe(5)
  })

  it('C66: the wait it tells is the wait there is', () => {
    const { runtime, take } = setUp('12/min')
    allowedOf(take, 12)
    const wait = take()?.retryAfterMs ?? 0
    expect(wait).toBeCloseTo(5000, 6)
    runtime.advance(wait / 2)
    expect(take()?.allowed).toBe(false)
    runtime.advance(wait / 2 - 1)
    expect(take()?.allowed).toBe(false)
    runtime.advance(1)
    expect(take()?.allowed).toBe(true)
  })

  it('C68: allows exactly its limit', () => {
    for (const limit of [1, 2, 10]) expect(allowedOf(setUp(`${limit}/min`).take, limit + 2)).toBe(limit)
  })

  it('C69: does not allow twice the limit across the edge of a window', () => {
    const { runtime, take } = setUp('60/min')
    runtime.advance(59_900)
    expect(allowedOf(take, 60)).toBe(60)
    runtime.advance(200)
    expect(allowedOf(take, 60)).toBe(0)
  })

  it('lets a burst of its bucket through at one instant, and refill through while it lasts', () => {
    const { take } = setUp('10/s', 20)
    expect(allowedOf(take, 40)).toBe(20)
    const spread = setUp('10/s', 20)
    let allowed = 0
    for (let index = 0; index < 40; index++) {
      if (spread.take()?.allowed) allowed++
      spread.runtime.advance(25)
    }
    expect(allowed).toBe(29)
  })

  it('reproduces the vector of redis-cell: a burst of 15 over 30 a minute admits 16, then one every 2 s', () => {
    const { take } = setUp('30/min', 16)
    expect(allowedOf(take, 16)).toBe(16)
    expect(take()).toEqual({ allowed: false, retryAfterMs: 2000 })
  })

  it('C72: holds a bounded number of keys and forgets the blocked ones last', () => {
    const runtime = new VirtualRuntime(3)
    const quota = new TokenBucketQuota({ count: 1, spanMs: 1000, burst: 5, keysMax: 1000 }, runtime)
    for (let index = 0; index < 5; index++) quota.take('blocked', 1)
    for (let index = 0; index < 50_000; index++) {
      quota.take(`key ${index}`, 1)
      expect(quota.size).toBeLessThanOrEqual(1000)
    }
    expect(quota.evicted).toBe(50_000 + 1 - 1000)
    expect(quota.take('blocked', 1).allowed).toBe(false)
  })

  it('C72: forgets keys that have refilled free of charge', () => {
    const runtime = new VirtualRuntime(3)
    const quota = new TokenBucketQuota({ count: 1, spanMs: 1000, burst: 5, keysMax: 100 }, runtime)
    for (let index = 0; index < 1000; index++) {
      quota.take(`key ${index}`, 1)
      runtime.advance(50)
    }
    expect(quota.evicted).toBe(0)
    expect(quota.size).toBeLessThanOrEqual(100)
  })

  it('C75: keeps no long key, and does not let two long keys share a bucket', () => {
    const { take } = setUp('1/min')
    expect(take('a'.repeat(10_000))?.allowed).toBe(true)
    expect(take('a'.repeat(10_000))?.allowed).toBe(false)
    expect(take('b'.repeat(10_000))?.allowed).toBe(true)
  })
})

describe('a door with a quota', () => {
  it('C75: skips it for arrivals without a key, and counts them', () => {
    const runtime = new VirtualRuntime(3)
    const door = createAdmission({ limit: 10, quota: createQuota({ limit: '1/min' }, runtime) }, runtime)
    expect([door.offer({}), door.offer({})].map((decision) => decision.status)).toEqual(['admitted', 'admitted'])
    expect(door.snapshot().unkeyed).toBe(2)
  })

  it('C71: names a time of 1 ms or more with every refusal, and none that is negative', () => {
    const runtime = new VirtualRuntime(3)
    const door = createAdmission({ limit: 1000, quota: createQuota({ limit: '1/s' }, runtime) }, runtime)
    door.offer({ key: 'k' })
    runtime.advance(950)
    for (let step = 0; step < 10; step++) {
      const decision = door.offer({ key: 'k' })
      if (decision.status === 'rejected') expect(decision.retryAfterMs).toBeGreaterThanOrEqual(1)
      runtime.advance(10)
    }
  })

  it('gives the tokens back when a later check refuses', () => {
    const runtime = new VirtualRuntime(3)
    const door = createAdmission({ limit: 1, quota: createQuota({ limit: '2/h' }, runtime) }, runtime)
    const first = door.offer({ key: 'k' })
    for (let index = 0; index < 20; index++) expect(door.offer({ key: 'k' })).toMatchObject({ reason: 'capacity' })
    if (first.status === 'admitted') first.settle('success')
    expect(door.offer({ key: 'k' }).status).toBe('admitted')
    expect(door.offer({ key: 'k' })).toMatchObject({ reason: 'quota' })
  })
})
