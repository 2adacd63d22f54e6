// Faults of the promise edge that our own door had. Each is named for what went wrong.

import { AsyncLocalStorage } from 'node:async_hooks'
import { getEventListeners } from 'node:events'
import { describe, expect, it } from 'vitest'
import type { Door } from '../src/core/admission-async.ts'
import { RejectedError, SpillwayError } from '../src/core/errors.ts'
import { hold, setUp } from './callers.ts'

describe('work that was handed a slot', () => {
  it('does not see the async context of whoever gave the slot back', async () => {
    const { door } = setUp({ limit: 1 })
    const request = new AsyncLocalStorage<string>()
    const [held] = hold(door, 1)
    const mine = request.run('mine', () => door.run(async () => request.getStore()))
    const nobodys = door.run(() => request.getStore())
    request.run('theirs', () => held?.settle('success'))
    expect(await Promise.all([mine, nobodys])).toEqual(['mine', undefined])
  })

  it('does not pass for work inside the permit of whoever made room for it', async () => {
    const { door } = setUp({ limit: 1 })
    const raise = Promise.withResolvers<void>()
    const rest = Promise.withResolvers<void>()
    const first = door.run(async () => {
      await raise.promise
      door.setLimit(10)
      await rest.promise
    })
    const second = door.run(() => door.run(() => 'inner'))
    raise.resolve()
    expect(await second).toBe('inner')
    expect(door.snapshot()).toMatchObject({ offered: 3, nested: 0 })
    rest.resolve()
    await first
  })
})

describe('the end of a run', () => {
  it('is no success for a caller who has left meanwhile', async () => {
    const { door } = setUp({ limit: 1 })
    const caller = new AbortController()
    const work = Promise.withResolvers<string>()
    const run = door.run(() => work.promise, { signal: caller.signal })
    caller.abort(new Error('left'))
    work.resolve('done all the same')
    expect(await run).toBe('done all the same')
    expect(door.snapshot()).toMatchObject({ success: 0, good: 0, cancelled: 1, inFlight: 0 })
  })

  it('C105: keeps the slot until the work has ended, also when its caller left and its deadline passed long before', async () => {
    const { door, runtime } = setUp({ limit: 10, deadlineMs: 100, queueDepthMax: 0 })
    const caller = new AbortController()
    const work = Promise.withResolvers<void>()
    const runs = Array.from({ length: 1000 }, () => door.run(() => work.promise, { signal: caller.signal }))
    const ends = Promise.allSettled(runs)
    runtime.advance(150)
    caller.abort()
    expect(door.snapshot()).toMatchObject({ running: 10, inFlight: 10 })
    work.resolve()
    expect((await ends).filter(({ status }) => status === 'fulfilled')).toHaveLength(10)
    expect(door.snapshot()).toMatchObject({ running: 0, cancelled: 10, success: 0 })
  })

  it('gives the slot back when the rule about errors throws, and the caller gets to see that', async () => {
    const { door } = setUp({ limit: 1 })
    const rule = (): never => {
      throw new Error('rule')
    }
    const fail = (): never => {
      throw new Error('work')
    }
    await expect(door.run(fail, { outcomeOf: rule })).rejects.toThrow('rule')
    await expect(door.run(() => Promise.reject(new Error('work')), { outcomeOf: rule })).rejects.toThrow('rule')
    const iterate = async (): Promise<void> => {
      for await (const _ of door.iterate(fail, { outcomeOf: rule })) break
    }
    await expect(iterate()).rejects.toThrow('rule')
    expect(door.snapshot()).toMatchObject({ ignored: 3, inFlight: 0 })
  })

  it('does not leave a waiter hanging when the rule about errors throws', async () => {
    const { door } = setUp({ limit: 1 })
    const [held] = hold(door, 1)
    const run = door.run(
      () => {
        throw new Error('work')
      },
      {
        outcomeOf: () => {
          throw new Error('rule')
        },
      },
    )
    held?.settle('success')
    await expect(run).rejects.toThrow('rule')
    expect(door.inFlight).toBe(0)
  })

  it('waits for a thenable that returns nothing from then()', async () => {
    const { door } = setUp({ limit: 1 })
    const thenable = {
      // biome-ignore lint/suspicious/noThenProperty: Query builders look like this.
      then(fulfilled: (value: number) => void): void {
        queueMicrotask(() => fulfilled(5))
      },
    } as unknown as PromiseLike<number>
    expect(await door.run(() => thenable)).toBe(5)
    expect(door.snapshot()).toMatchObject({ success: 1, inFlight: 0 })
  })

  it('of an iteration whose caller has left is cancelled, whether it ends well or badly', async () => {
    const { door } = setUp({ limit: 1 })
    for (const last of [() => {}, () => Promise.reject(new Error('later'))]) {
      const caller = new AbortController()
      const consume = async (): Promise<void> => {
        const work = async function* () {
          yield 1
          await last()
        }
        for await (const _ of door.iterate(work, { signal: caller.signal })) caller.abort()
      }
      await Promise.allSettled([consume()])
    }
    expect(door.snapshot()).toMatchObject({ cancelled: 2, success: 0, ignored: 0, inFlight: 0 })
  })
})

describe('a refusal of the promise edge', () => {
  it.each<[string, (door: Door) => Promise<unknown>]>([
    ['run', (door) => door.run(() => 1, { cost: -1 })],
    ['acquire', (door) => door.acquire({ cost: -1 })],
    ['iterate', (door) => door.iterate(() => [1], { cost: -1 }).next()],
  ])('of a wrong arrival by %s is a rejection, not a throw that passes by every catch()', async (_, call) => {
    const { door } = setUp({ limit: 1 })
    const seen: unknown = await call(door).catch((error: unknown) => error)
    expect(seen).toBeInstanceOf(SpillwayError)
    expect(seen).toMatchObject({ code: 'SPILLWAY_ARRIVAL_INVALID' })
    expect(door.snapshot().offered).toBe(0)
  })

  it('carries the decision, and its code rather than its class says what it is', async () => {
    const { door } = setUp({ limit: 1 })
    hold(door, 1)
    const seen: unknown = await door.run(() => 1, { deadlineMs: 0 }).catch((error: unknown) => error)
    expect(seen).toBeInstanceOf(RejectedError)
    expect(seen).toMatchObject({ code: 'SPILLWAY_REJECTED', name: 'RejectedError', decision: { reason: 'deadline' } })
    expect(String(seen)).toContain('rejected at the door: deadline (limit 1, in flight 1, waiting 0')
  })

  it('of a grace period that makes no sense names it', async () => {
    const { door } = setUp({ limit: 1 })
    await expect(door.drain({ graceMs: Number.NaN })).rejects.toThrow('graceMs must be a finite number of ms')
  })
})

describe('a signal that many share', () => {
  it('C57: has a listener for each who waits and for nobody else, however their waits end', async () => {
    const { door, runtime } = setUp({ limit: 1, queueDepthMax: 1000 })
    const { signal } = new AbortController()
    const listeners = (): number => getEventListeners(signal, 'abort').length
    const held = await door.acquire()
    const run = (work: () => unknown, deadlineMs?: number): Promise<unknown> => door.run(work, { signal, deadlineMs })
    const fail = (): never => {
      throw new Error('work')
    }
    const runs = Array.from({ length: 250 }, () => [
      run(() => 1),
      run(fail),
      run(async () => 1),
      run(() => 1, 5),
    ]).flat()
    const ends = Promise.allSettled(runs)
    expect(listeners()).toBe(door.waiting)
    runtime.advance(10)
    expect(listeners()).toBe(door.waiting)
    held.settle('success')
    await ends
    expect([listeners(), door.waiting]).toEqual([0, 0])
  })
})

describe('a caller', () => {
  it('who leaves from inside the observer that hears of its wait does not wait on', async () => {
    const caller = new AbortController()
    const { door } = setUp({ limit: 1, observer: { enqueued: () => caller.abort(new Error('left')) } })
    const [held] = hold(door, 1)
    let started = false
    const run = door.run(
      () => {
        started = true
      },
      { signal: caller.signal },
    )
    await expect(run).rejects.toThrow('left')
    held?.settle('success')
    expect([started, door.waiting]).toEqual([false, 0])
  })

  it('is refused when its observer makes room while it joins, and not forgotten', async () => {
    const { door, runtime } = setUp({ limit: 1, observer: { enqueued: () => door.setLimit(2) } })
    hold(door, 1)
    const run = door.run(() => 'served')
    runtime.advance(0)
    expect(await run).toBe('served')
    expect(door.inFlight).toBe(1)
  })

  it('C126: may ask for a drain twice, before anything ran and after it is over', async () => {
    const { door, runtime } = setUp({ limit: 1 })
    const [held] = hold(door, 1)
    const both = Promise.all([door.drain({ graceMs: 100 }), door.drain({ graceMs: 5 })])
    runtime.advance(100)
    expect(await both).toEqual(Array(2).fill({ drained: false, running: 1 }))
    held?.settle('success')
    expect(await door.drain()).toEqual({ drained: false, running: 1 })
    expect(await setUp({ limit: 1 }).door.drain()).toEqual({ drained: true, running: 0 })
  })
})
