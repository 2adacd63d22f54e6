import { describe, expect, it } from 'vitest'
import { VirtualRuntime } from '../runtime/virtual.ts'
import { SeededStream } from '../structures/prng.ts'
import { deadlineAfter } from './deadline.ts'
import { Expiry } from './expiry.ts'
import type { Runtime, Timer } from './runtime.ts'
import { ServiceTime } from './service-times.ts'
import { Ticket } from './ticket.ts'

const owner = { leave: () => true }
const waiter = { admitted() {}, rejected() {} }
const serviceTime = new ServiceTime()

function ticketAt(at: number): Ticket {
  return new Ticket({}, 'sheddable-plus', deadlineAfter(0, at), 0, serviceTime, waiter, at, false, owner)
}

function setUp(onExpire: (ticket: Ticket, expiry: Expiry) => void = () => {}) {
  const runtime = new VirtualRuntime()
  const expired: [number, number][] = []
  const expiry: Expiry = new Expiry((ticket, now) => {
    expiry.remove(ticket)
    expired.push([ticket.at, now])
    onExpire(ticket, expiry)
  }, runtime)
  return { runtime, expiry, expired }
}

describe('the end of waits', () => {
  it('comes to each at its time and in the order of their times, with one timer for all', () => {
    const { runtime, expiry, expired } = setUp()
    const chance = new SeededStream(1, 'expiry')
    const times = Array.from({ length: 500 }, () => Math.floor(chance.next() * 1000))
    for (const at of times) expiry.add(ticketAt(at), runtime.now())
    expect(runtime.timersPending).toBe(1)
    runtime.run()
    const sorted = times.toSorted((a, b) => a - b)
    expect(expired).toEqual(sorted.map((at) => [at, at]))
    expect(runtime.timersPending).toBe(0)
  })

  it('does not come to those who left, and leaves no timer when nobody is left', () => {
    const { runtime, expiry, expired } = setUp()
    const tickets = [10, 20, 30].map(ticketAt)
    for (const ticket of tickets) expiry.add(ticket, 0)
    for (const ticket of tickets) expiry.remove(ticket)
    expect(runtime.timersPending).toBe(0)
    runtime.advance(100)
    expect(expired).toEqual([])
  })

  it('is not late for one who joins after it and must go before it', () => {
    const { runtime, expiry, expired } = setUp()
    expiry.add(ticketAt(100), 0)
    expiry.add(ticketAt(10), 0)
    expiry.add(ticketAt(50), 0)
    runtime.advance(10)
    expect(expired).toEqual([[10, 10]])
    runtime.advance(40)
    expect(expired).toHaveLength(2)
  })

  it('comes at once to those whose time passed while the loop stood still', () => {
    const { runtime, expiry, expired } = setUp()
    for (const at of [10, 20, 300]) expiry.add(ticketAt(at), 0)
    runtime.stall(250)
    runtime.advance(0)
    expect(expired).toEqual([
      [10, 250],
      [20, 250],
    ])
  })

  it('reaches those who join while others are told', () => {
    const { runtime, expiry, expired } = setUp((ticket, waits) => {
      if (ticket.at < 40) waits.add(ticketAt(ticket.at + 10), ticket.at)
    })
    expiry.add(ticketAt(10), 0)
    runtime.run()
    expect(expired.map(([at]) => at)).toEqual([10, 20, 30, 40])
  })

  it('waits for the rest when a timer fires early', () => {
    // Node caches its time, so a timer can fire a fraction of a millisecond before its delay has passed.
    const virtual = new VirtualRuntime()
    const timers: (() => void)[] = []
    const delays: number[] = []
    const early: Runtime = Object.assign(Object.create(virtual) as Runtime, {
      now: () => virtual.now(),
      clearTimer: () => {},
      setTimer: (callback: () => void, delayMs: number): Timer => {
        timers.push(callback)
        delays.push(delayMs)
        return {}
      },
    })
    const expired: number[] = []
    const expiry: Expiry = new Expiry((ticket, now) => {
      expiry.remove(ticket)
      expired.push(now)
    }, early)
    expiry.add(ticketAt(10), 0)
    virtual.advance(9.4)
    timers[0]?.()
    expect([expired, delays[1]]).toEqual([[], 10 - 9.4])
    virtual.advance(0.6)
    timers[1]?.()
    expect(expired).toEqual([10])
  })
})
