// A hidden pool: so many slots, the rest in line, first come first served. It is what most services wait for (database
// connections, threads, sockets), and its line is where a service without a door keeps its overload: without end, and
// deaf to callers who have gone. M/M/c, M/D/1 and M/G/1 are this plant under Poisson arrivals.

import { FifoQueue } from '../../structures/fifo-queue.ts'
import { BasePlant } from './base.ts'
import { ELAPSED, type Job, type PlantContext } from './plant.ts'

export interface PoolOptions {
  readonly slots: number
  readonly queueMax?: number
  readonly holds?: 'work' | 'visit'
}

export class PoolPlant extends BasePlant {
  readonly #options: PoolOptions
  readonly #queueMax: number
  readonly #holdsVisit: boolean
  // Jobs withdrawn from the middle stay in #line, with place 'nowhere', and are skipped when their turn comes.
  readonly #line = new FifoQueue<Job>()
  readonly #held = new Set<Job>()
  #waiting = 0
  #running = 0
  #slots: number

  constructor(options: PoolOptions, { world }: PlantContext) {
    super(world)
    this.#options = options
    this.#slots = options.slots
    this.#queueMax = options.queueMax ?? Infinity
    this.#holdsVisit = options.holds === 'visit'
  }

  get running(): number {
    return this.#running
  }

  get waiting(): number {
    return this.#waiting
  }

  get slots(): number {
    return this.#slots
  }

  run(job: Job): void {
    if (this.#holdsVisit && this.#held.has(job)) {
      this.#begin(job)
    } else if (this.#running < this.#slots && this.#waiting === 0) {
      this.#take(job)
    } else if (this.#waiting >= this.#queueMax) {
      job.worked('refused', 0)
    } else {
      job.place = 'line'
      job.beganAt = Number.NaN
      this.#line.push(job)
      this.#waiting++
    }
  }

  advance(job: Job, _what: number): void {
    const ending = job.place === 'failing' ? 'failed' : 'ok'
    job.place = 'nowhere'
    this.#end(job, ending)
  }

  withdraw(job: Job): number {
    const { place } = job
    job.place = 'nowhere'
    if (place === 'nowhere') return 0
    if (place === 'line') {
      this.#waiting--
      return 0
    }
    this.forgetHanging(job)
    job.stopTimer()
    const tookMs = this.world.now() - job.beganAt
    if (!this.#held.has(job)) this.#freeSlot()
    return tookMs
  }

  release(job: Job): void {
    if (this.#held.delete(job)) this.#freeSlot()
  }

  setSlots(slots: number | undefined): void {
    this.#slots = slots ?? this.#options.slots
    this.#startNext()
  }

  protected endHanging(job: Job): void {
    job.place = 'nowhere'
    this.#end(job, 'failed')
  }

  #take(job: Job): void {
    this.#running++
    this.use(1, this.world.now())
    if (this.#holdsVisit) this.#held.add(job)
    this.#begin(job)
  }

  #begin(job: Job): void {
    const now = this.world.now()
    job.beganAt = now
    job.workBegins(now)
    if (!this.begins(job)) return
    const lengthMs = job.workMs * this.slowness
    if (lengthMs > 0) job.startTimer(lengthMs)
    else this.advance(job, ELAPSED)
  }

  #end(job: Job, ending: 'ok' | 'failed'): void {
    const tookMs = this.world.now() - job.beganAt
    if (!this.#holdsVisit) this.#freeSlot()
    job.worked(ending, tookMs)
  }

  #freeSlot(): void {
    this.#running--
    this.use(-1, this.world.now())
    if (this.#waiting > 0) this.#startNext()
  }

  #startNext(): void {
    while (this.#running < this.#slots && this.#waiting > 0) {
      const job = this.#line.shift() as Job
      if (job.place !== 'line') continue
      this.#waiting--
      this.#take(job)
    }
  }
}
