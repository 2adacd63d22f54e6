// Nothing is scarce: all work runs at once at full speed (M/G/∞). For things that only take time.

import { BasePlant } from './base.ts'
import { ELAPSED, type Job } from './plant.ts'

export class EndlessPlant extends BasePlant {
  readonly slots = undefined
  readonly waiting = 0
  #running = 0

  get running(): number {
    return this.#running
  }

  run(job: Job): void {
    const now = this.world.now()
    job.beganAt = now
    job.workBegins(now)
    this.#running++
    this.use(1, now)
    if (!this.begins(job)) return
    const lengthMs = job.workMs * this.slowness
    if (lengthMs > 0) job.startTimer(lengthMs)
    else this.advance(job, ELAPSED)
  }

  advance(job: Job, _what: number): void {
    this.#end(job, job.place === 'failing' ? 'failed' : 'ok')
  }

  withdraw(job: Job): number {
    if (job.place === 'nowhere') return 0
    job.stopTimer()
    this.forgetHanging(job)
    this.#leave(job)
    return this.world.now() - job.beganAt
  }

  setSlots(): void {}

  protected endHanging(job: Job): void {
    this.#end(job, 'failed')
  }

  #end(job: Job, ending: 'ok' | 'failed'): void {
    this.#leave(job)
    job.worked(ending, this.world.now() - job.beganAt)
  }

  #leave(job: Job): void {
    job.place = 'nowhere'
    this.#running--
    this.use(-1, this.world.now())
  }
}
