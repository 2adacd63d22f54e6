// Figures of the worked examples that a door reproduces by itself, in virtual time: sizing arithmetic, and the bounded queue
// of the eight-policy experiment. Where arrivals are random the tolerance stands beside the figure.

import { describe, expect, it } from 'vitest'
import type { Door } from '../src/core/admission-async.ts'
import type { Rejection } from '../src/core/decision.ts'
import type { Permit } from '../src/core/permit.ts'
import type { VirtualRuntime } from '../src/runtime/virtual.ts'
import { SeededStream } from '../src/structures/prng.ts'
import { hold, Note, setUp } from './callers.ts'

/** What became of one caller. Times in ms; latency from the intended start. */
interface End {
  readonly startMs: number
  readonly status: 'served' | 'refused' | 'timed out'
  readonly latencyMs: number
  readonly stage: 'door' | 'queue' | undefined
}

/** Callers who leave after `patienceMs`, in front of work that takes `serviceMs` and does not notice. */
class Callers {
  readonly ends: End[] = []
  wasted = 0
  waitingMax = 0
  lastWaitedMs = 0
  readonly #door: Door
  readonly #runtime: VirtualRuntime
  readonly #patienceMs: number
  serviceMs: number

  constructor(door: Door, runtime: VirtualRuntime, serviceMs: number, patienceMs = 1e9) {
    this.#door = door
    this.#runtime = runtime
    this.serviceMs = serviceMs
    this.#patienceMs = patienceMs
  }

  call(): void {
    const startMs = this.#runtime.now()
    let over = false
    const end = (status: End['status'], stage?: End['stage']): void => {
      if (over) return
      over = true
      this.#runtime.clearTimer(patience)
      this.ends.push({ startMs, status, latencyMs: this.#runtime.now() - startMs, stage })
    }
    const patience = this.#runtime.setTimer(() => end('timed out'), this.#patienceMs)
    const refused = (rejection: Rejection): void => end('refused', rejection.stage)
    const work = (permit: Permit): void => {
      this.lastWaitedMs = permit.waitedMs
      this.#runtime.setTimer(() => {
        if (over) this.wasted++
        permit.settle('success')
        end('served')
      }, this.serviceMs)
    }
    const decision = this.#door.offer({}, new Note(work, refused))
    if (decision.status === 'admitted') work(decision)
    if (decision.status === 'rejected') refused(decision)
    this.waitingMax = Math.max(this.waitingMax, this.#door.waiting)
  }

  /** One caller after the other, evenly spaced. */
  steadily(perS: number, forMs: number): void {
    const untilMs = this.#runtime.now() + forMs
    for (let index = 1; index <= (perS * forMs) / 1000; index++) {
      this.call()
      this.#runtime.runUntil(untilMs - forMs + (index * 1000) / perS)
    }
    this.#runtime.runUntil(untilMs)
  }

  /** Independent callers (Poisson). */
  randomly(perS: number, forMs: number, chance: SeededStream): void {
    const untilMs = this.#runtime.now() + forMs
    for (let at = this.#runtime.now(); ; ) {
      at -= (Math.log(1 - chance.next()) * 1000) / perS
      if (at >= untilMs) break
      this.#runtime.runUntil(at)
      this.call()
    }
    this.#runtime.runUntil(untilMs)
  }
}

/** A door whose queue is as good as endless, to see what queues do. */
function endless(limit: number, serviceMs: number) {
  const { door, runtime } = setUp({
    limit,
    waitMaxMs: 3_000_000,
    deadlineMs: 4_000_000,
    queueDepthMax: 100_000,
    permitAgeMaxMs: 4_000_000,
  })
  return { door, runtime, callers: new Callers(door, runtime, serviceMs) }
}

describe('sizing arithmetic (seed 000)', () => {
  it("Little's law: 100/s for 0.2 s each are 20 in flight", () => {
    const { door, callers } = endless(1000, 200)
    callers.steadily(100, 5000)
    callers.call()
    expect(door.inFlight).toBe(20)
  })

  it('a dependency that slows down from 0.1 to 1 s puts 90 more in flight at 100/s', () => {
    const { door, callers } = endless(1000, 100)
    callers.steadily(100, 5000)
    const before = door.inFlight
    callers.serviceMs = 1000
    callers.steadily(100, 5000)
    expect(door.inFlight - before).toBe(90)
  })

  it('a spike of 200/s for 10 s over 170/s leaves 300 waiting, of whom the last waits 1.76 s, gone 7.5 s later', () => {
    const { door, runtime, callers } = endless(17, 100)
    callers.steadily(200, 10_000)
    expect(Math.abs(door.waiting - 300)).toBeLessThanOrEqual(17)
    const joinedAt = runtime.now()
    callers.call()
    callers.steadily(130, 7000)
    expect(door.waiting).toBeGreaterThan(0)
    callers.steadily(130, 1000)
    expect(door.waiting).toBe(0)
    const last = callers.ends.find(({ startMs }) => startMs === joinedAt)
    expect(Math.abs((last?.latencyMs ?? 0) - 100 - 1760)).toBeLessThanOrEqual(100)
  })

  it('1000 waiting at a capacity of 100/s and 90/s arriving take 100 s to drain', () => {
    const { door, runtime, callers } = endless(5, 50)
    for (let index = 0; index < 1005; index++) callers.call()
    const beganAt = runtime.now()
    while (door.waiting > 0) callers.steadily(90, 1000)
    expect(Math.abs((runtime.now() - beganAt) / 1000 - 100)).toBeLessThanOrEqual(2)
  })

  it('six may be started and two may wait: the ninth is refused', () => {
    const { door } = setUp({ limit: 6, queueDepthMax: 2 })
    hold(door, 6)
    const statuses = [1, 2, 3].map(() => door.offer({}, new Note()).status)
    expect(statuses).toEqual(['waiting', 'waiting', 'rejected'])
  })
})

describe('queues (seeds 001 and 002)', () => {
  it('200/s offered to five slots of 50 ms for 5 s: 500 wait, and a new arrival waits 5 s', () => {
    const { door, runtime, callers } = endless(5, 50)
    callers.steadily(200, 5000)
    expect(Math.abs(door.waiting - 500)).toBeLessThanOrEqual(5)
    const waiting = door.waiting
    callers.call()
    while (door.waiting > 0) runtime.advance(5)
    expect(callers.lastWaitedMs).toBeGreaterThanOrEqual((waiting / 100) * 1000 - 50)
    expect(Math.abs(callers.lastWaitedMs - 5000)).toBeLessThanOrEqual(100)
  })

  it('600/s offered to 500/s for 10 s: 1000 wait, for 2 s', () => {
    const { door, runtime, callers } = endless(25, 50)
    callers.steadily(600, 10_000)
    expect(Math.abs(door.waiting - 1000)).toBeLessThanOrEqual(25)
    while (door.waiting > 0) runtime.advance(5)
    expect(Math.abs(callers.lastWaitedMs - 2000)).toBeLessThanOrEqual(100)
  })

  it('an acceptable wait of 200 ms at 100/s bounds the queue to 20, without anybody saying so', () => {
    const { door, runtime } = setUp({ limit: 5, waitMaxMs: 200 })
    const callers = new Callers(door, runtime, 50)
    callers.steadily(80, 2000)
    callers.steadily(1000, 5000)
    expect(callers.waitingMax).toBeLessThanOrEqual(20)
    expect(callers.waitingMax).toBeGreaterThanOrEqual(14)
  })
})

/** 80/s for 5 s, 200/s for 10 s, 80/s for 10 s, and what happened to those who came from `fromS` to `toS`. */
function experiment(options: { queueDepthMax?: number; waitMaxMs?: number }, seed: number) {
  const { door, runtime } = setUp({ limit: 5, deadlineMs: 1000, ...options })
  const callers = new Callers(door, runtime, 50, 1000)
  const chance = new SeededStream(seed, 'arrivals')
  callers.randomly(80, 5000, chance)
  callers.randomly(200, 10_000, chance)
  callers.randomly(80, 10_000, chance)
  runtime.advance(2000)
  const window = (fromS: number, toS: number) => {
    const ends = callers.ends.filter(({ startMs }) => startMs >= fromS * 1000 && startMs < toS * 1000)
    const served = ends.filter(({ status }) => status === 'served').map(({ latencyMs }) => latencyMs)
    const refused = ends.filter(({ status }) => status === 'refused')
    return {
      offered: ends.length,
      goodputPerS: served.length / (toS - fromS),
      p50Ms: served.toSorted((a, b) => a - b)[Math.floor(served.length / 2)] ?? 0,
      refused: refused.length,
      refusedInQueue: refused.filter(({ stage }) => stage === 'queue').length,
      timeouts: ends.filter(({ status }) => status === 'timed out').length,
    }
  }
  return { callers, door, window }
}

describe('the eight-policy experiment (seed 001): five slots of 50 ms, twice the load for ten seconds', () => {
  // Poisson: a window of 1000 arrivals varies by ±32 (one standard deviation), what is served by less.
  const seeds = [1, 2, 3, 4, 5]

  it.each(seeds)(
    'a queue of 20 serves 99/s at a median of 249 ms, and refuses the rest at the door (seed %i)',
    (seed) => {
      const { callers, door, window } = experiment({ queueDepthMax: 20, waitMaxMs: 1000 }, seed)
      const busy = window(10, 15)
      expect(Math.abs(busy.goodputPerS - 99)).toBeLessThanOrEqual(2)
      expect(Math.abs(busy.p50Ms - 249)).toBeLessThanOrEqual(10)
      expect(Math.abs(busy.refused - 507)).toBeLessThanOrEqual(130)
      expect(busy.refused + busy.goodputPerS * 5).toBe(busy.offered)
      expect([busy.refusedInQueue, busy.timeouts, callers.wasted]).toEqual([0, 0, 0])
      expect(door.snapshot().success).toBe(door.snapshot().good)
    },
  )

  it.each(seeds)('the defaults do as well without being told a depth, and sooner (seed %i)', (seed) => {
    const { callers, window } = experiment({}, seed)
    const busy = window(10, 15)
    expect(busy.goodputPerS).toBeGreaterThanOrEqual(97)
    expect(busy.p50Ms).toBeLessThanOrEqual(249)
    expect([busy.refusedInQueue, busy.timeouts, callers.wasted]).toEqual([0, 0, 0])
  })

  it.each(seeds)('everybody is served again at once when the load falls (seed %i)', (seed) => {
    for (const options of [{ queueDepthMax: 20, waitMaxMs: 1000 }, {}]) {
      const { window } = experiment(options, seed)
      const [before, after] = [window(0, 5), window(16, 25)]
      expect(before.refused / before.offered).toBeLessThan(0.02)
      expect(after.refused / after.offered).toBeLessThan(0.02)
      expect(Math.abs(after.goodputPerS - 80)).toBeLessThanOrEqual(9)
      expect(window(15, 16).timeouts + after.timeouts).toBe(0)
    }
  })
})
