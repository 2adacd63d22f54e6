// The virtual runtime is only worth something as long as it is a twin of Node's: one scripted program of timers runs on both,
// and the callbacks must come in the same order.

import { describe, expect, it } from 'vitest'
import type { Runtime } from '../src/core/runtime.ts'
import { nodeRuntime } from '../src/runtime/node.ts'
import { VirtualRuntime } from '../src/runtime/virtual.ts'

// Delays lie so far apart that a busy machine does not change their order.
function script(runtime: Runtime, order: string[], done: () => void): void {
  const note = (name: string) => () => void order.push(name)
  const start = runtime.now()
  runtime.setTimer(note('b: 40 ms'), 40)
  runtime.setTimer(note('c: 40 ms, set second'), 40)
  const cleared = runtime.setTimer(note('never: cleared by a timer'), 80)
  runtime.clearTimer(runtime.setTimer(note('never: cleared at once'), 20))
  runtime.clearTimer(cleared)
  runtime.clearTimer(cleared)
  runtime.setTimer(() => {
    order.push('d: 120 ms')
    runtime.defer(note('f: deferred by a timer'))
    order.push('e: the rest of that timer')
  }, 120)
  runtime.setTimer(note('in the background: 160 ms'), 160, true)
  runtime.setTimer(() => {
    order.push('g: 240 ms')
    runtime.setTimer(() => {
      order.push('i: 40 ms later')
      order.push(runtime.now() - start >= 278 ? 'time has passed' : 'time has not passed')
      done()
    }, 40)
    runtime.defer(note('h: before any timer'))
  }, 240)
  runtime.defer(() => {
    order.push('a: deferred before any timer')
  })
}

// What happens within one turn of the loop. The process stands still until all of these timers are due: set a microsecond
// apart they may otherwise fall into two turns.
function turns(runtime: Runtime, standStill: () => void, order: string[], done: () => void): void {
  const note = (name: string) => () => void order.push(name)
  runtime.setTimer(() => {
    order.push('timer 1')
    runtime.defer(note('deferred by timer 1'))
    runtime.clearTimer(third)
  }, 10)
  runtime.setTimer(() => {
    order.push('timer 2')
    runtime.defer(() => {
      order.push('deferred by timer 2')
      runtime.setTimer(() => {
        order.push('timer of 0 ms')
        rounds(runtime, order, done)
      }, 0)
    })
  }, 10)
  const third = runtime.setTimer(note('never: cleared while due'), 10)
  runtime.setTimer(note('timer 4, in the background'), 10, true)
  runtime.setTimer(note('timer 5, due later'), 11)
  standStill()
}

function rounds(runtime: Runtime, order: string[], done: () => void): void {
  const note = (name: string) => () => void order.push(name)
  runtime.defer(() => {
    order.push('round 1')
    runtime.defer(() => {
      order.push('round 2')
      runtime.setTimer(done, 1.5)
    })
  })
  runtime.defer(note('round 1 as well'))
}

describe('the two runtimes', () => {
  it('run everything that is due before anything that is deferred, and round by round what is deferred', async () => {
    const virtual: string[] = []
    const virtualRuntime = new VirtualRuntime()
    turns(
      virtualRuntime,
      () => virtualRuntime.stall(20),
      virtual,
      () => {},
    )
    virtualRuntime.run()
    const real: string[] = []
    const sleep = (): unknown => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20)
    await new Promise<void>((resolve) => turns(nodeRuntime, sleep, real, resolve))
    expect(virtual).toEqual(real)
    expect(real).toEqual([
      'timer 1',
      'timer 2',
      'timer 4, in the background',
      'timer 5, due later',
      'deferred by timer 1',
      'deferred by timer 2',
      'timer of 0 ms',
      'round 1',
      'round 1 as well',
      'round 2',
    ])
  })

  it.each([Number.NaN, -1, Number.POSITIVE_INFINITY])('refuse a delay of %s ms', (delayMs) => {
    for (const runtime of [nodeRuntime, new VirtualRuntime()]) {
      expect(() => runtime.setTimer(() => {}, delayMs)).toThrow('a timer needs a finite delay of 0 ms or more')
    }
  })

  it('bear a timer that goes back twice, late, or to the wrong one', () => {
    const virtual = new VirtualRuntime()
    const timer = virtual.setTimer(() => {}, 5)
    virtual.advance(10)
    for (const runtime of [nodeRuntime, virtual, new VirtualRuntime()]) {
      runtime.clearTimer(timer)
      runtime.clearTimer({})
    }
    expect(virtual.timersPending).toBe(0)
  })

  it('call back in the same order', async () => {
    const virtual: string[] = []
    const virtualRuntime = new VirtualRuntime()
    script(virtualRuntime, virtual, () => {})
    virtualRuntime.run()
    const real: string[] = []
    await new Promise<void>((resolve) => script(nodeRuntime, real, resolve))
    expect(virtual).toEqual(real)
    expect(real.filter((name) => name.startsWith('never'))).toEqual([])
    expect(virtual).toContain('i: 40 ms later')
    expect(virtual).toContain('time has passed')
  })

  it('offer the same', () => {
    const methods = [
      'now',
      'wallNow',
      'setTimer',
      'clearTimer',
      'defer',
      'stream',
      'report',
    ] as const satisfies (keyof Runtime)[]
    // Does not compile when the seam gets a method that is not in this list.
    const complete: Exclude<keyof Runtime, (typeof methods)[number]> extends never ? true : false = true
    expect(complete).toBe(true)
    const virtual = new VirtualRuntime()
    for (const runtime of [nodeRuntime, virtual]) {
      for (const method of methods) expect(typeof runtime[method]).toBe('function')
      const drawn = Array.from({ length: 1000 }, () => runtime.stream('a name').next())
      expect(drawn.every((number) => number >= 0 && number < 1)).toBe(true)
      expect(Number.isFinite(runtime.now()) && runtime.wallNow() > Date.UTC(2020, 0, 1)).toBe(true)
    }
  })

  it('give equal seeds equal streams, and other names other ones', () => {
    const draw = (seed: number, name: string) => {
      const stream = new VirtualRuntime(seed).stream(name)
      return Array.from({ length: 10 }, () => stream.next())
    }
    expect(draw(1, 'arrivals')).toEqual(draw(1, 'arrivals'))
    expect(draw(1, 'arrivals')).not.toEqual(draw(2, 'arrivals'))
    expect(draw(1, 'arrivals')).not.toEqual(draw(1, 'service'))
  })
})

describe('the virtual runtime', () => {
  it('lets time pass only when told, and background timers keep nothing going', () => {
    const runtime = new VirtualRuntime()
    let fired = 0
    runtime.setTimer(() => fired++, 1000, true)
    expect(runtime.run()).toBe(0)
    expect([runtime.now(), fired, runtime.timersPending]).toEqual([0, 0, 0])
    runtime.advance(999)
    expect(fired).toBe(0)
    runtime.advance(1)
    expect(fired).toBe(1)
  })

  it('fires late, all at once, what fell due while the process stood still', () => {
    const runtime = new VirtualRuntime()
    const seen: number[] = []
    for (const delay of [10, 20, 30]) runtime.setTimer(() => seen.push(runtime.now()), delay)
    runtime.stall(500)
    expect(seen).toEqual([])
    runtime.run()
    expect(seen).toEqual([500, 500, 500])
  })
})
