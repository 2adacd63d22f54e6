// Plants one by one, with work whose timing can be said in advance.

import { describe, expect, it } from 'vitest'
import { VirtualRuntime, VirtualTimer } from '../runtime/virtual.ts'
import { plantOf } from './plant/index.ts'
import { ELAPSED, type Job, type JobPlace, type Plant, type WorkEnding } from './plant/plant.ts'
import { Process } from './process.ts'
import type { PlantPlan } from './scenario.ts'

class TestJob implements Job {
  beganAt = Number.NaN
  place: JobPlace = 'nowhere'
  readonly workMs: number
  readonly #name: string
  readonly #bench: Bench
  readonly #timer = new VirtualTimer(this)

  constructor(name: string, workMs: number, bench: Bench) {
    this.#name = name
    this.workMs = workMs
    this.#bench = bench
  }

  due(): void {
    this.#bench.process.deliver(this, ELAPSED)
  }

  happen(what: number): void {
    this.#bench.plant.advance(this, what)
  }

  startTimer(delayMs: number): void {
    this.#bench.world.start(this.#timer, delayMs)
  }

  stopTimer(): void {
    this.#bench.world.stop(this.#timer)
  }

  workBegins(): void {}

  worked(ending: WorkEnding): void {
    this.#bench.log.push(`${this.#name} ${ending} ${Math.round(this.#bench.world.now() * 1000) / 1000}`)
  }
}

class Bench {
  readonly world = new VirtualRuntime()
  readonly process = new Process(this.world, 'bench')
  readonly log: string[] = []
  readonly plant: Plant

  constructor(plan: PlantPlan) {
    this.plant = plantOf(plan, { world: this.world, process: this.process })
  }

  run(name: string, workMs: number): TestJob {
    const job = new TestJob(name, workMs, this)
    this.plant.run(job)
    return job
  }

  at(atMs: number, act: () => void): void {
    this.world.setTimer(act, atMs)
  }
}

describe('a pool', () => {
  it('works for as many as it has slots, in the order in which they came', () => {
    const bench = new Bench({ kind: 'pool', slots: 2 })
    for (const name of ['a', 'b', 'c', 'd']) bench.run(name, 10)
    expect([bench.plant.running, bench.plant.waiting]).toEqual([2, 2])
    bench.world.run()
    expect(bench.log).toEqual(['a ok 10', 'b ok 10', 'c ok 20', 'd ok 20'])
    expect(bench.plant.busyMs(bench.world.now())).toBe(40)
  })

  it('refuses beyond its line', () => {
    const bench = new Bench({ kind: 'pool', slots: 1, queueMax: 1 })
    for (const name of ['a', 'b', 'c']) bench.run(name, 10)
    expect(bench.log).toEqual(['c refused 0'])
  })

  it('starts nothing on slots that are lost, and ends what runs on them', () => {
    const bench = new Bench({ kind: 'pool', slots: 2 })
    for (const name of ['a', 'b', 'c', 'd']) bench.run(name, 10)
    bench.plant.setSlots(1)
    bench.at(25, () => bench.plant.setSlots(undefined))
    bench.world.run()
    expect(bench.log).toEqual(['a ok 10', 'b ok 10', 'c ok 20', 'd ok 30'])
  })

  it('takes longer for work that starts while it is slow', () => {
    const bench = new Bench({ kind: 'pool', slots: 1 })
    bench.run('before', 10)
    bench.at(5, () => bench.plant.setSlowness(10))
    bench.at(6, () => bench.run('during', 10))
    bench.world.run()
    expect(bench.log).toEqual(['before ok 10', 'during ok 110'])
  })

  it('fails early, fails late, or hangs until the fault is over', () => {
    const bench = new Bench({ kind: 'pool', slots: 1 })
    bench.plant.setMode('failing', 2)
    bench.run('early', 10)
    bench.world.run()
    bench.plant.setMode('failing', undefined)
    bench.run('late', 10)
    bench.world.run()
    bench.plant.setMode('hanging', undefined)
    bench.run('hung', 10)
    bench.run('behind', 10)
    bench.at(88, () => bench.plant.setMode('working', undefined))
    bench.world.run()
    expect(bench.log).toEqual(['early failed 2', 'late failed 12', 'hung failed 100', 'behind ok 110'])
  })

  it('lets go of work that is not wanted, in line and in a slot', () => {
    const bench = new Bench({ kind: 'pool', slots: 1 })
    const [a, b] = [bench.run('a', 10), bench.run('b', 10)]
    bench.run('c', 10)
    bench.at(4, () => {
      expect(bench.plant.withdraw(b)).toBe(0)
      expect(bench.plant.withdraw(a)).toBe(4)
    })
    bench.world.run()
    expect(bench.log).toEqual(['c ok 14'])
  })

  it('keeps a slot from the first piece of work to the release where it is held throughout', () => {
    const bench = new Bench({ kind: 'pool', slots: 1, holds: 'visit' })
    const a = bench.run('a', 10)
    bench.run('b', 10)
    bench.at(15, () => bench.plant.run(a))
    bench.at(30, () => bench.plant.release?.(a))
    bench.world.run()
    expect(bench.log).toEqual(['a ok 10', 'a ok 25', 'b ok 40'])
  })

  it('sees that work is done only when its process goes on', () => {
    const bench = new Bench({ kind: 'pool', slots: 1 })
    bench.run('a', 10)
    bench.process.stop()
    bench.at(50, () => bench.process.goOn())
    bench.world.run()
    expect(bench.log).toEqual(['a ok 50'])
  })
})

describe('processor sharing', () => {
  it('gives each its part', () => {
    const bench = new Bench({ kind: 'sharing', cores: 1 })
    bench.run('a', 10)
    bench.at(5, () => bench.run('b', 10))
    bench.world.run()
    // Alone until 5; shared until a has its other 5, at 15; then b alone.
    expect(bench.log).toEqual(['a ok 15', 'b ok 20'])
  })

  it('lets no more than one core work for one piece', () => {
    const bench = new Bench({ kind: 'sharing', cores: 4 })
    bench.run('a', 10)
    bench.world.run()
    expect(bench.log).toEqual(['a ok 10'])
  })

  it('loses capacity to contention: 1/(1 + k(n − n₀))', () => {
    const bench = new Bench({ kind: 'sharing', cores: 8, contention: { k: 0.25, beyond: 8 } })
    for (let n = 0; n < 12; n++) bench.run(`${n}`, 10)
    bench.world.run()
    // 8 cores for 12, at 1/(1 + 0.25 × 4) of their speed: 12 × 10 / 8 × 2.
    expect(bench.log[0]).toBe('0 ok 30')
  })

  it('freezes while its process is stopped, and runs on other cores and speeds at once', () => {
    const bench = new Bench({ kind: 'sharing', cores: 2 })
    bench.run('a', 10)
    bench.run('b', 10)
    bench.at(2, () => bench.plant.setStopped(true))
    bench.at(12, () => bench.plant.setStopped(false))
    bench.at(14, () => bench.plant.setSlots(1))
    bench.at(18, () => bench.plant.setSlowness(2))
    bench.world.run()
    // 2 + 2 ms at full speed, 4 at half, and the last 4 at a quarter.
    expect(bench.log).toEqual(['a ok 34', 'b ok 34'])
  })

  it('lets go of work that is not wanted', () => {
    const bench = new Bench({ kind: 'sharing', cores: 1 })
    const a = bench.run('a', 10)
    bench.run('b', 10)
    bench.at(8, () => expect(bench.plant.withdraw(a)).toBeCloseTo(4, 9))
    bench.world.run()
    expect(bench.log).toEqual(['b ok 14'])
  })
})

describe('one event loop', () => {
  it('runs one piece after the other and cannot break one off', () => {
    const bench = new Bench({ kind: 'loop', connections: 'kept' })
    const a = bench.run('a', 5)
    bench.run('b', 5)
    expect(bench.plant.withdraw(a)).toBeUndefined()
    bench.world.run()
    expect(bench.log).toEqual(['a ok 5', 'b ok 10'])
    expect(bench.plant.busyMs(bench.world.now())).toBe(10)
  })
})

describe('an endless plant', () => {
  it('runs everything at once', () => {
    const bench = new Bench({ kind: 'endless' })
    for (const name of ['a', 'b', 'c']) bench.run(name, 10)
    bench.world.run()
    expect(bench.log).toEqual(['a ok 10', 'b ok 10', 'c ok 10'])
  })
})
