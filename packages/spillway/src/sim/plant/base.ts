// What all plants have in common: how much of them was in use, and what faults make of work that starts.

import type { VirtualRuntime } from '../../runtime/virtual.ts'
import { ELAPSED, type Job, type Plant, type PlantMode } from './plant.ts'

export abstract class BasePlant implements Plant {
  protected readonly world: VirtualRuntime
  protected slowness = 1
  #mode: PlantMode = 'working'
  #failMs: number | undefined = 0
  readonly #hanging = new Set<Job>()
  // ∫ slots in use dt up to #integratedAt.
  #busyMs = 0
  #inUse = 0
  #integratedAt: number

  constructor(world: VirtualRuntime) {
    this.world = world
    this.#integratedAt = world.now()
  }

  abstract readonly running: number
  abstract readonly waiting: number
  abstract readonly slots: number | undefined
  abstract run(job: Job): void
  abstract advance(job: Job, what: number): void
  abstract withdraw(job: Job): number | undefined

  busyMs(now: number): number {
    return this.#busyMs + this.#inUse * (now - this.#integratedAt)
  }

  setSlowness(factor: number): void {
    this.slowness = factor
  }

  setMode(mode: PlantMode, failMs: number | undefined): void {
    this.#mode = mode
    this.#failMs = failMs
    if (mode === 'hanging') return
    const hung = [...this.#hanging]
    this.#hanging.clear()
    for (const job of hung) this.endHanging(job)
  }

  abstract setSlots(slots: number | undefined): void

  setStopped(_stopped: boolean): void {}

  /** Notes that `change` more slots are in use from now on. */
  protected use(change: number, now: number): void {
    this.#busyMs += this.#inUse * (now - this.#integratedAt)
    this.#integratedAt = now
    this.#inUse += change
  }

  /** Notes slot-time that was used without a break until now. */
  protected addBusy(lengthMs: number): void {
    this.#busyMs += lengthMs
  }

  /**
   * Takes on work whose time has come: it occupies a slot, unless a fault makes it hang or fail early. True when it is to
   * be run for its usual time, perhaps to fail at the end of it.
   */
  protected begins(job: Job): boolean {
    if (this.#mode === 'working') {
      job.place = 'slot'
      return true
    }
    if (this.#mode === 'hanging') {
      job.place = 'hanging'
      this.#hanging.add(job)
      return false
    }
    job.place = 'failing'
    if (this.#failMs === undefined) return true
    if (this.#failMs > 0) job.startTimer(this.#failMs)
    else this.advance(job, ELAPSED)
    return false
  }

  protected forgetHanging(job: Job): void {
    this.#hanging.delete(job)
  }

  /** The fault is over; what hung fails. */
  protected abstract endHanging(job: Job): void
}
