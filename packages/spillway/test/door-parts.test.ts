// What parts of the user's do to a door: disciplines that evict, and quotas, limiters and listeners that throw.

import { describe, expect, it } from 'vitest'
import { Door } from '../src/core/admission-async.ts'
import type { Limiter } from '../src/core/limiter.ts'
import type { Quota } from '../src/core/quota.ts'
import { FixedLimiter } from '../src/limiters/fixed.ts'
import { VirtualRuntime } from '../src/runtime/virtual.ts'
import { expectAccounts, hold, Note, setUp, waiting } from './callers.ts'
import { NewestFirst } from './door-program-parts.ts'

const yes = { allowed: true, retryAfterMs: undefined } as const

describe('a discipline that evicts', () => {
  function newestFirst(limit: number, depthMax: number): { door: Door; runtime: VirtualRuntime } {
    const runtime = new VirtualRuntime()
    const parts = {
      limiter: new FixedLimiter(limit),
      discipline: new NewestFirst(depthMax),
      quota: undefined,
      observer: undefined,
    }
    const settings = { deadlineMs: 1000, waitMaxMs: 200, permitAgeMaxMs: 60_000, classesMax: 1 }
    return { door: new Door({ ...parts, ...settings }, runtime), runtime }
  }

  it('C07: refuses the oldest, with a reason, and not the newest for which it makes room', () => {
    const { door, runtime } = newestFirst(1, 2)
    const served: string[] = []
    let [held] = hold(door, 1)
    const note = (name: string): Note =>
      new Note((permit) => {
        served.push(name)
        held = permit
      })
    const [a, b, c] = [note('a'), note('b'), note('c')]
    for (const each of [a, b, c]) waiting(door.offer({}, each))
    runtime.advance(0)
    expect(a.rejection).toMatchObject({ reason: 'capacity', stage: 'queue' })
    for (let index = 0; index < 2; index++) held?.settle('success')
    expect(served).toEqual(['c', 'b'])
    expectAccounts(door)
  })

  it('tells nobody from inside its own offer that another one, evicted for it, has taken its place', () => {
    const { door, runtime } = newestFirst(1, 1)
    hold(door, 1)
    const returns = new Note(undefined, () => void door.offer({}, new Note()))
    waiting(door.offer({}, returns))
    const newcomer = new Note()
    waiting(door.offer({}, newcomer))
    expect(newcomer.rejection).toBeUndefined()
    runtime.advance(0)
    expect([returns.rejection?.reason, newcomer.rejection?.reason, door.waiting]).toEqual(['capacity', 'capacity', 1])
    expectAccounts(door)
  })

  it('does not overflow the stack when each who is evicted comes back', () => {
    const { door, runtime } = newestFirst(1, 1)
    hold(door, 1)
    let evictions = 0
    const stubborn = new Note(undefined, () => {
      if (++evictions < 50_000) door.offer({}, stubborn)
    })
    door.offer({}, stubborn)
    door.offer({}, stubborn)
    runtime.advance(0)
    expect(evictions).toBe(50_000)
  })

  it('rejects a run that it evicts', async () => {
    const { door, runtime } = newestFirst(1, 1)
    hold(door, 1)
    const evicted = door.run(() => 'never')
    waiting(door.offer({}, new Note()))
    runtime.advance(0)
    await expect(evicted).rejects.toMatchObject({ code: 'SPILLWAY_REJECTED', decision: { reason: 'capacity' } })
  })
})

describe('parts of users that throw', () => {
  it('a quota: the arrival is decided without it, and the accounts add up', () => {
    const quota: Quota = {
      take: () => {
        throw new Error('store')
      },
      refund: () => {
        throw new Error('never taken')
      },
    }
    const { door, runtime } = setUp({ limit: 1, quota })
    hold(door, 1, { key: 'k' })
    expect(door.offer({ key: 'k' })).toMatchObject({ reason: 'capacity' })
    expect(runtime.reported.map(String)).toEqual(['Error: store', 'Error: store'])
    expectAccounts(door)
  })

  it('a refund: the caller who left is counted, and the next waiter is served', () => {
    const quota: Quota = {
      take: () => yes,
      refund: () => {
        throw new Error('store')
      },
    }
    const { door, runtime } = setUp({ limit: 1, quota, waitMaxMs: 100 })
    const [held] = hold(door, 1, { key: 'k' })
    const [late, next] = [new Note(), new Note()]
    expect(waiting(door.offer({ key: 'k' }, new Note())).leave()).toBe(true)
    waiting(door.offer({ key: 'k', deadlineMs: 50 }, late))
    waiting(door.offer({ key: 'k' }, next))
    runtime.stall(60)
    held?.settle('success')
    expect([late.rejection?.reason, next.permit?.status]).toEqual(['deadline', 'admitted'])
    expect(door.snapshot()).toMatchObject({ cancelled: 1, callbackErrors: 2 })
    // The door still hands over.
    const last = new Note()
    waiting(door.offer({ key: 'k' }, last))
    next.permit?.settle('success')
    expect(last.permit).toBeDefined()
    expectAccounts(door)
  })

  it('a limiter: the slot is handed on', () => {
    const limit: Limiter = {
      limit: 1,
      sample: () => {
        throw new Error('limiter')
      },
      onChange: () => {},
      setLimit: () => {},
    }
    const { door, runtime } = setUp({ limit })
    const [held] = hold(door, 1)
    const note = new Note()
    waiting(door.offer({}, note))
    expect(held?.settle('success')).toBe(true)
    expect(note.permit).toBeDefined()
    expect(runtime.reported.map(String)).toEqual(['Error: limiter'])
  })

  it('who waits for the end of a drain: the others are told, and whoever settled last notices nothing', () => {
    const { door } = setUp({ limit: 1 })
    const [held] = hold(door, 1)
    let told = 0
    door.close(1000, () => {
      throw new Error('drain')
    })
    door.close(1000, () => told++)
    expect(held?.settle('success')).toBe(true)
    expect([told, door.snapshot().callbackErrors]).toEqual([1, 1])
  })
})
