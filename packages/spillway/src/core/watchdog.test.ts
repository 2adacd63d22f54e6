import { describe, expect, it } from 'vitest'
import { VirtualRuntime } from '../runtime/virtual.ts'
import { deadlineAfter } from './deadline.ts'
import { Permit } from './permit.ts'
import { ServiceTime } from './service-times.ts'
import { Watchdog } from './watchdog.ts'

const owner = { end: () => true, now: () => 0 }

function setUp(ageMaxMs: number) {
  const runtime = new VirtualRuntime()
  const reclaimed: [number, number][] = []
  const onReclaim: (() => void)[] = []
  const watchdog: Watchdog = new Watchdog(
    ageMaxMs,
    (permit, now) => {
      watchdog.remove(permit)
      reclaimed.push([permit.startedAt, now])
      onReclaim.shift()?.()
    },
    runtime,
  )
  const start = (): Permit => {
    const now = runtime.now()
    const permit = new Permit({}, deadlineAfter(now, 1000), now, 0, 1, new ServiceTime(), owner)
    watchdog.add(permit)
    return permit
  }
  return { runtime, watchdog, reclaimed, onReclaim, start }
}

describe('the watchdog', () => {
  it('takes each permit back at its own age, and no other', () => {
    const { runtime, watchdog, reclaimed, start } = setUp(100)
    start()
    runtime.advance(30)
    const settled = start()
    runtime.advance(30)
    start()
    watchdog.remove(settled)
    runtime.advance(1000)
    expect(reclaimed).toEqual([
      [0, 100],
      [60, 160],
    ])
    expect(watchdog.running).toBe(0)
  })

  it('keeps no process alive', () => {
    const { runtime, start } = setUp(100)
    start()
    expect([runtime.timersPending, runtime.run()]).toEqual([0, 0])
  })

  it('watches again after it had nothing to watch', () => {
    const { runtime, reclaimed, start, watchdog } = setUp(100)
    watchdog.remove(start())
    runtime.advance(500)
    start()
    runtime.advance(100)
    expect(reclaimed).toEqual([[500, 600]])
  })

  it('watches those who are handed a slot by a permit that it takes back', () => {
    const { runtime, reclaimed, onReclaim, start } = setUp(100)
    onReclaim.push(start)
    start()
    runtime.advance(250)
    expect(reclaimed).toEqual([
      [0, 100],
      [100, 200],
    ])
  })

  it('takes back, once, what has outlived its age while the process stood still', () => {
    const { runtime, reclaimed, start } = setUp(100)
    for (let index = 0; index < 3; index++) start()
    runtime.stall(100_000)
    runtime.advance(0)
    expect(reclaimed).toEqual(Array(3).fill([0, 100_000]))
  })
})
