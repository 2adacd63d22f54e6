// The event loop as the scarce thing: work is synchronous, one piece after the other, and while it runs the process sees
// nothing. There is no line here: what waits, waits in the process (see process.ts), in its backlog and its sockets.

import type { Process } from '../process.ts'
import { BasePlant } from './base.ts'
import { COMPUTED, type Job, type PlantContext } from './plant.ts'

export class LoopPlant extends BasePlant {
  readonly #process: Process
  #running = 0
  #slots = 1

  constructor({ world, process }: PlantContext) {
    super(world)
    this.#process = process
  }

  get running(): number {
    return this.#running
  }

  get waiting(): number {
    return 0
  }

  get slots(): number {
    return this.#slots
  }

  run(job: Job): void {
    const now = this.world.now()
    job.beganAt = now
    job.workBegins(now)
    if (!this.begins(job)) return
    this.#running++
    this.#process.compute(job, COMPUTED, job.workMs * this.slowness)
  }

  advance(job: Job, what: number): void {
    const ending = job.place === 'failing' ? 'failed' : 'ok'
    job.place = 'nowhere'
    const tookMs = what === COMPUTED ? job.workMs * this.slowness : 0
    if (what === COMPUTED) {
      this.#running--
      this.addBusy(tookMs)
    }
    job.worked(ending, tookMs)
  }

  withdraw(job: Job): number | undefined {
    if (job.place === 'slot' || job.place === 'failing') return undefined
    this.forgetHanging(job)
    job.place = 'nowhere'
    return 0
  }

  setSlots(slots: number | undefined): void {
    this.#slots = slots ?? 1
  }

  protected endHanging(job: Job): void {
    job.place = 'nowhere'
    job.worked('failed', 0)
  }
}
