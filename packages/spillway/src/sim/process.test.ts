// The event loop of a simulated process: what is late, what waits unseen, and in which order things are seen.

import { describe, expect, it } from 'vitest'
import { VirtualRuntime } from '../runtime/virtual.ts'
import { type LoopTarget, Process } from './process.ts'

function setUp(): { world: VirtualRuntime; process: Process; log: string[]; target: (name: string) => LoopTarget } {
  const world = new VirtualRuntime()
  const process = new Process(world, 'p')
  const log: string[] = []
  const target = (name: string): LoopTarget => ({ happen: () => void log.push(`${name} ${world.now()}`) })
  return { world, process, log, target }
}

describe('a process', () => {
  it('handles everything at once while it has nothing to do', () => {
    const { world, process, log, target } = setUp()
    process.deliver(target('request'), 0)
    process.setTimer(() => log.push(`timer ${world.now()}`), 5)
    process.defer(() => log.push('deferred'))
    world.run()
    expect(log).toEqual(['request 0', 'deferred', 'timer 5'])
  })

  it('lets what happens while it computes wait: polled first, then deferred, then timers', () => {
    const { world, process, log, target } = setUp()
    process.setTimer(() => log.push(`timer ${world.now()}`), 3)
    process.compute(target('computed'), 0, 10)
    world.setTimer(() => process.deliver(target('request'), 0), 4)
    world.setTimer(() => process.defer(() => log.push(`deferred ${world.now()}`)), 5)
    world.run()
    expect(log).toEqual(['computed 10', 'deferred 10', 'timer 10', 'request 10'])
  })

  it('accepts one connection per turn', () => {
    const { world, process, log } = setUp()
    const handler = (name: string): LoopTarget => ({
      happen: (what) => {
        log.push(`${name}${what === 0 ? '' : ' done'} ${world.now()}`)
        if (what === 0) process.compute(handler(name), 1, 5)
      },
    })
    for (const name of ['a', 'b', 'c']) process.connect(handler(name), 0)
    expect(process.backlog).toBe(2)
    world.setTimer(() => process.deliver(handler('kept'), 0), 1)
    world.run()
    // The one on an open connection is read in the second turn, after b was accepted and before c.
    expect(log).toEqual(['a 0', 'a done 5', 'b 5', 'b done 10', 'kept 10', 'kept done 15', 'c 15', 'c done 20'])
  })

  it('fires timers late and keeps arrivals waiting while it is stopped, and goes on with what it computed', () => {
    const { world, process, log, target } = setUp()
    process.compute(target('computed'), 0, 10)
    process.setTimer(() => log.push(`timer ${world.now()}`), 12)
    world.setTimer(() => process.stop(), 4)
    world.setTimer(() => process.deliver(target('request'), 0), 6)
    world.setTimer(() => process.goOn(), 104)
    world.run()
    expect(log).toEqual(['computed 110', 'timer 110', 'request 110'])
  })

  it('counts stops that overlap', () => {
    const { world, process, log, target } = setUp()
    process.stop()
    process.stop()
    process.deliver(target('request'), 0)
    process.goOn()
    expect(log).toEqual([])
    world.advance(7)
    process.goOn()
    expect(log).toEqual(['request 7'])
  })

  it('forgets a timer that was cleared while it was late', () => {
    const { world, process, log } = setUp()
    const timer = process.setTimer(() => log.push('timer'), 5)
    process.stop()
    world.advance(10)
    process.clearTimer(timer)
    process.goOn()
    expect(log).toEqual([])
  })

  it('runs nothing any more once it is killed', () => {
    const { world, process, log, target } = setUp()
    process.setTimer(() => log.push('timer'), 5)
    process.compute(target('computed'), 0, 3)
    process.kill()
    process.deliver(target('request'), 0)
    world.run()
    expect(log).toEqual([])
  })

  it('has random streams of its own', () => {
    const world = new VirtualRuntime(3)
    const [a, b] = [new Process(world, 'a').stream('x'), new Process(world, 'b').stream('x')]
    expect(a.next()).not.toBe(b.next())
  })
})
