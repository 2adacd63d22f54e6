// Processor sharing: everything runs at once on m cores, each piece at 1/n of them when there are more pieces than cores.
// Beyond a point more pieces make the whole slower (cache misses, locks, context switches): capacity × 1/(1 + k(n − n₀)).
//
// Each job is kept by the service it must have been given: V(t) is what a job that was always there has received, and a
// job that came at V₀ and needs w is done when V reaches V₀ + w. So an arrival or departure changes the speed of all in
// O(log n), without touching any. Mean stay of M/G/1 processor sharing: S/(1 − ρ), whatever the distribution.

import { type Due, VirtualTimer } from '../../runtime/virtual.ts'
import { TimedHeap, type TimedItem } from '../../structures/timed-heap.ts'
import type { Process } from '../process.ts'
import { BasePlant } from './base.ts'
import { COMPUTED, type Job, type PlantContext } from './plant.ts'

export interface SharingOptions {
  readonly cores: number
  readonly contention?: { readonly k: number; readonly beyond: number }
}

// A job on the cores; `at` is the service at which it is done, not a time.
class Share implements TimedItem {
  at: number
  sequence = 0
  heapIndex = -1
  readonly job: Job

  constructor(job: Job, at: number) {
    this.job = job
    this.at = at
  }
}

export class SharingPlant extends BasePlant implements Due {
  readonly #options: SharingOptions
  readonly #process: Process
  readonly #shares = new TimedHeap<Share>()
  readonly #shareOf = new Map<Job, Share>()
  readonly #timer: VirtualTimer
  #cores: number
  #stopped = false
  // V at #advancedAt, and dV/dt since then.
  #given = 0
  #speed = 0
  #advancedAt = 0
  #coresInUse = 0

  constructor(options: SharingOptions, { world, process }: PlantContext) {
    super(world)
    this.#options = options
    this.#process = process
    this.#cores = options.cores
    this.#timer = new VirtualTimer(this)
  }

  get running(): number {
    return this.#shares.size
  }

  get waiting(): number {
    return 0
  }

  get slots(): number {
    return this.#cores
  }

  run(job: Job): void {
    const now = this.world.now()
    job.beganAt = now
    job.workBegins(now)
    if (!this.begins(job)) return
    this.#giveUntil(now)
    const share = new Share(job, this.#given + job.workMs)
    this.#shares.push(share)
    this.#shareOf.set(job, share)
    this.#resume(now)
  }

  /** The first is done. */
  due(): void {
    const now = this.world.now()
    this.#giveUntil(now)
    const first = this.#shares.peek()
    if (first !== undefined) {
      // V is a sum of many steps; what it lacks of the first's mark is rounding.
      this.#given = Math.max(this.#given, first.at)
      this.#take(first)
      this.#resume(now)
      this.#process.deliver(first.job, COMPUTED)
    }
  }

  advance(job: Job, what: number): void {
    const ending = job.place === 'failing' ? 'failed' : 'ok'
    job.place = 'nowhere'
    job.worked(ending, what === COMPUTED ? job.workMs : 0)
  }

  withdraw(job: Job): number {
    const share = this.#shareOf.get(job)
    job.place = 'nowhere'
    this.forgetHanging(job)
    if (share === undefined) return 0
    const now = this.world.now()
    this.#giveUntil(now)
    const leftMs = share.at - this.#given
    this.#take(share)
    this.#resume(now)
    return job.workMs - leftMs
  }

  override setSlowness(factor: number): void {
    this.#change(() => super.setSlowness(factor))
  }

  setSlots(slots: number | undefined): void {
    this.#change(() => {
      this.#cores = slots ?? this.#options.cores
    })
  }

  override setStopped(stopped: boolean): void {
    this.#change(() => {
      this.#stopped = stopped
    })
  }

  protected endHanging(job: Job): void {
    job.place = 'nowhere'
    job.worked('failed', 0)
  }

  #change(make: () => void): void {
    const now = this.world.now()
    this.#giveUntil(now)
    make()
    this.#resume(now)
  }

  #take(share: Share): void {
    this.#shares.remove(share)
    this.#shareOf.delete(share.job)
  }

  #giveUntil(now: number): void {
    this.#given += this.#speed * (now - this.#advancedAt)
    this.#advancedAt = now
  }

  // Sets the speed for as many as there are now, and the timer for the next to be done.
  #resume(now: number): void {
    const count = this.#shares.size
    this.#speed = count === 0 || this.#stopped ? 0 : this.#speedOf(count)
    const inUse = this.#stopped ? 0 : Math.min(count, this.#cores)
    this.use(inUse - this.#coresInUse, now)
    this.#coresInUse = inUse
    this.world.stop(this.#timer)
    const first = this.#shares.peek()
    if (first !== undefined && this.#speed > 0)
      this.world.start(this.#timer, Math.max(0, (first.at - this.#given) / this.#speed))
  }

  #speedOf(count: number): number {
    const { contention } = this.#options
    const excess = contention === undefined ? 0 : Math.max(0, count - contention.beyond)
    const slowedBy = (1 + (contention?.k ?? 0) * excess) * this.slowness
    return Math.min(1, this.#cores / count) / slowedBy
  }
}
