// Faults that our own door had, or would have had with one line less. Each is named for what went wrong.

import { describe, expect, it } from 'vitest'
import { Door } from '../src/core/admission-async.ts'
import { FifoDiscipline } from '../src/disciplines/fifo.ts'
import { FixedLimiter } from '../src/limiters/fixed.ts'
import { VirtualRuntime } from '../src/runtime/virtual.ts'
import { createQuota } from '../src/surface/create-quota.ts'
import { admitted, expectAccounts, hold, LateQuota, Note, serve, setUp, waiting } from './callers.ts'

describe('a class of work', () => {
  it('that was slow five times is not refused for ever', () => {
    const { door, runtime } = setUp({ limit: 5 })
    serve(door, runtime, 5, 2000)
    expect(door.offer()).toMatchObject({ reason: 'deadline', stage: 'door' })
    runtime.advance(4000)
    serve(door, runtime, 1, 50)
    // It was quick when it was tried, so what was known of it is forgotten.
    expect(door.offer().status).toBe('admitted')
  })

  it('that stays slow is tried for a third of the time of one slot, whatever is offered', () => {
    const { door, runtime } = setUp({ limit: 5 })
    serve(door, runtime, 5, 2000)
    let tried = 0
    for (let ms = 0; ms < 60_000; ms += 10) {
      const decision = door.offer()
      if (decision.status === 'admitted') {
        tried++
        runtime.setTimer(() => decision.settle('success'), 2000)
      }
      runtime.advance(10)
    }
    expect(tried).toBeGreaterThanOrEqual(8)
    expect(tried).toBeLessThanOrEqual(11)
  })

  it('whose trials never end well is tried less and less', () => {
    const { door, runtime } = setUp({ limit: 5 })
    serve(door, runtime, 5, 2000)
    const triedAt: number[] = []
    for (let ms = 0; ms < 200_000; ms += 100) {
      const decision = door.offer()
      if (decision.status === 'admitted') {
        triedAt.push(runtime.now())
        decision.settle('dropped')
      }
      runtime.advance(100)
    }
    const gaps = triedAt.slice(1).map((at, index) => Math.round((at - (triedAt[index] as number)) / 1000))
    expect(gaps.slice(0, 5)).toEqual([8, 16, 32, 32, 32])
  })

  it('is tried although others keep the door full', () => {
    const { door, runtime } = setUp({ limit: 1 })
    serve(door, runtime, 5, 2000, { class: 'slow' })
    serve(door, runtime, 1000, 20, { class: 'quick' })
    runtime.advance(4000)
    const [held] = hold(door, 1, { class: 'quick' })
    const note = new Note()
    waiting(door.offer({ class: 'slow' }, note))
    expect(door.offer({ class: 'slow' }, new Note())).toMatchObject({ reason: 'deadline' })
    held?.settle('success')
    expect(note.permit).toBeDefined()
  })

  it('is not tried for a caller whose deadline has passed, nor through a full queue', () => {
    const { door, runtime } = setUp({ limit: 1, queueDepthMax: 0 })
    serve(door, runtime, 5, 2000)
    runtime.advance(5000)
    expect(door.offer({ deadlineMs: 0 })).toMatchObject({ reason: 'deadline' })
    expect(door.offer({ cost: 2 })).toMatchObject({ reason: 'deadline' })
    expect(door.offer().status).toBe('admitted')
  })
})

describe('fractional costs', () => {
  it('that fill the limit exactly all fit', () => {
    const { door } = setUp({ limit: 33 })
    expect(hold(door, 30, { cost: 1.1 })).toHaveLength(30)
    expect(door.offer({ cost: 1.1 }).status).toBe('rejected')
  })

  it('next to nothing do not bring the count below zero', () => {
    const { door } = setUp({ limit: 5 })
    const [first, second] = [admitted(door.offer({ cost: 0.1 })), admitted(door.offer({ cost: 0.7 }))]
    const tiny = admitted(door.offer({ cost: 1e-17 }))
    second.settle('success')
    first.settle('success')
    expect(door.inFlight).toBe(0)
    tiny.settle('success')
    expect(door.snapshot().success).toBe(3)
  })

  it('do not drift away from the truth in a million arrivals that never all end', () => {
    const { door } = setUp({ limit: 10 })
    const costs = [0.1, 0.7, 1.1, 2.3]
    const ring = costs.map((cost) => admitted(door.offer({ cost })))
    for (let index = 0; index < 1_000_000; index++) {
      ring[index % 4]?.settle('success')
      ring[index % 4] = admitted(door.offer({ cost: costs[index % 4] as number }))
    }
    expect(door.inFlight).toBeCloseTo(4.2, 9)
  })
})

describe('a wait', () => {
  it('of 0 ms is no wait: with a longest wait of 0 nobody joins the queue', () => {
    const { door } = setUp({ limit: 1, waitMaxMs: 0 })
    hold(door, 1)
    expect(door.offer({}, new Note())).toMatchObject({ status: 'rejected', reason: 'capacity', stage: 'door' })
  })

  it('that could only end with a refusal is refused at the door', () => {
    const { door } = setUp({ limit: 1 })
    hold(door, 1)
    for (const deadlineMs of [0.5, 1]) {
      expect(door.offer({ deadlineMs }, new Note())).toMatchObject({ reason: 'deadline', stage: 'door' })
    }
    waiting(door.offer({ deadlineMs: 1.5 }, new Note()))
  })

  it('that ends and begins again at once does not keep the process from everything else', () => {
    const { door, runtime } = setUp({ limit: 1, waitMaxMs: 1 })
    hold(door, 1)
    let ends = 0
    const again = new Note(undefined, () => {
      ends++
      door.offer({}, again)
    })
    door.offer({}, again)
    runtime.advance(10)
    expect(ends).toBe(10)
  })

  it('for a quota that is out of time already is refused at the door, and a late answer is given back', () => {
    const quota = new LateQuota()
    const { door, runtime } = setUp({ limit: 1, quota })
    expect(door.offer({ key: 'k', deadlineMs: 0.5 }, new Note())).toMatchObject({ reason: 'deadline', stage: 'door' })
    quota.answer(true)
    expect(quota.refunded).toEqual([1])
    expect(runtime.timersPending).toBe(0)
    expectAccounts(door)
  })

  it('is observed once, also when it began with a question to the quota', () => {
    const quota = new LateQuota()
    let enqueued = 0
    const { door } = setUp({ limit: 1, quota, observer: { enqueued: () => enqueued++ } })
    hold(door, 1)
    waiting(door.offer({ key: 'k' }, new Note()))
    quota.answer(true)
    expect([enqueued, door.waiting]).toEqual([1, 1])
  })

  it('is not ended from inside its own offer when an observer raises the limit', () => {
    const events: string[] = []
    const runtime = new VirtualRuntime()
    const door: Door = new Door(
      {
        limiter: new FixedLimiter(1),
        discipline: new FifoDiscipline(10),
        quota: undefined,
        observer: { enqueued: () => door.setLimit(2) },
        deadlineMs: 1000,
        waitMaxMs: 200,
        permitAgeMaxMs: 60_000,
        classesMax: 1,
      },
      runtime,
    )
    hold(door, 1)
    waiting(door.offer({}, new Note(() => events.push('told'))))
    events.push('offer returned')
    runtime.advance(0)
    expect(events).toEqual(['offer returned', 'told'])
  })
})

describe('what the door tells', () => {
  it('an end is observed before the start that it made possible, also when the limiter raises the limit', () => {
    const events: string[] = []
    let raise = (): void => {}
    const limit = {
      limit: 1,
      sample: () => {
        limit.limit = 3
        raise()
      },
      onChange: (listener: () => void) => {
        raise = listener
      },
      setLimit: () => {},
    }
    const observer = { admitted: () => events.push('admitted'), ended: () => events.push('ended') }
    const { door } = setUp({ limit, observer })
    const [held] = hold(door, 1)
    for (let index = 0; index < 2; index++) waiting(door.offer({}, new Note()))
    held?.settle('success')
    expect(events).toEqual(['admitted', 'ended', 'admitted', 'admitted'])
  })

  it('a limit that was set to what it was is no change', () => {
    const limits: number[] = []
    const { door } = setUp({ limit: 2, observer: { limitChanged: (limit) => limits.push(limit) } })
    for (const limit of [2, 3, 3, 2]) door.setLimit(limit)
    expect(limits).toEqual([3, 2])
  })

  it('a quota of ninety days names the ninety days, not the twelve that fit into 31 bits', () => {
    const runtime = new VirtualRuntime()
    const { door } = setUp({ limit: 5, quota: createQuota({ limit: '1/90day' }, runtime) })
    door.offer({ key: 'k' })
    expect(door.offer({ key: 'k' })).toMatchObject({ reason: 'quota', retryAfterMs: 90 * 86_400_000 })
  })

  it.each([Number.NaN, -5, Number.NEGATIVE_INFINITY])('a quota that answers %s gets no nonsense through', (wrong) => {
    const { door } = setUp({
      limit: 5,
      quota: { take: () => ({ allowed: false, retryAfterMs: wrong }), refund: () => {} },
    })
    const decision = door.offer({ key: 'k' })
    if (decision.status !== 'rejected') throw new Error('not refused')
    expect(decision.retryAfterMs === undefined || decision.retryAfterMs >= 0).toBe(true)
  })

  it('an ending with a word nobody knows is no success', () => {
    const { door } = setUp({ limit: 1 })
    const [held] = hold(door, 1)
    held?.settle('sucess' as never)
    expect(door.snapshot()).toMatchObject({ success: 0, good: 0, ignored: 1 })
  })

  it('C75: an empty key is no key', () => {
    const quota = createQuota({ limit: '1/h' }, new VirtualRuntime())
    const { door } = setUp({ limit: 5, quota })
    expect(hold(door, 3, { key: '' })).toHaveLength(3)
    expect(door.snapshot().unkeyed).toBe(3)
  })
})

describe('a drain', () => {
  it('ends when the last one who waited for its quota is refused, not when the grace period is over', () => {
    const quota = new LateQuota()
    const { door, runtime } = setUp({ limit: 1, quota })
    let over = 0
    waiting(door.offer({ key: 'k' }, new Note()))
    door.close(10_000, () => over++)
    quota.answer(false)
    expect([over, runtime.timersPending]).toEqual([1, 0])
  })

  it('tells those whose quota is still thinking when the grace period is over, and gives a late answer back', () => {
    const quota = new LateQuota()
    const { door, runtime } = setUp({ limit: 1, quota, waitMaxMs: 60_000 })
    const note = new Note()
    waiting(door.offer({ key: 'k', deadlineMs: 50_000 }, note))
    let over = 0
    door.close(100, () => over++)
    runtime.advance(100)
    expect(note.rejection).toMatchObject({ reason: 'closing', stage: 'queue' })
    quota.answer(true)
    expect([over, quota.refunded]).toEqual([1, [1]])
    expectAccounts(door)
  })

  it('starts nobody for a slot that a refused waiter gave back after the grace period', () => {
    const { door, runtime } = setUp({ limit: 1, waitMaxMs: 10_000 })
    const [held] = hold(door, 1)
    const next = new Note()
    waiting(door.offer({ deadlineMs: 5000 }, new Note(undefined, () => held?.settle('success'))))
    waiting(door.offer({ deadlineMs: 6000 }, next))
    door.close(100, () => {})
    runtime.advance(100)
    expect([next.permit, next.rejection?.reason]).toEqual([undefined, 'closing'])
    expect(door.snapshot()).toMatchObject({ running: 0, waiting: 0 })
  })

  it.each([Number.NaN, -1, Number.POSITIVE_INFINITY, '5'])('is not begun with a grace period of %s', (graceMs) => {
    const { door } = setUp({ limit: 1 })
    expect(() => door.close(graceMs as never, () => {})).toThrow(`graceMs must be a finite number of ms`)
    expect(door.offer().status).toBe('admitted')
  })

  it('that is over tells who asks later at once', () => {
    const { door } = setUp({ limit: 1 })
    const ends: unknown[] = []
    for (let index = 0; index < 3; index++) door.close(1000, (result) => ends.push(result))
    expect(ends).toEqual(Array(3).fill({ drained: true, running: 0 }))
  })
})
