// Takes back permits that nobody settles. Work whose completion is never signalled (a dropped callback, a lost promise)
// otherwise makes the door a little narrower each time, until only a restart helps (case C16). One background timer,
// armed for the oldest permit; it keeps no process alive.

import { LinkedList } from '../structures/linked-list.ts'
import type { Permit } from './permit.ts'
import type { Runtime } from './runtime.ts'

export class Watchdog {
  // Every running permit, oldest first: they join in the order of their start.
  readonly #running = new LinkedList<Permit>()
  readonly #ageMaxMs: number
  readonly #reclaim: (permit: Permit, now: number) => void
  readonly #runtime: Runtime
  #armed = false

  constructor(ageMaxMs: number, reclaim: (permit: Permit, now: number) => void, runtime: Runtime) {
    this.#ageMaxMs = ageMaxMs
    this.#reclaim = reclaim
    this.#runtime = runtime
  }

  /** How many permits run. */
  get running(): number {
    return this.#running.size
  }

  add(permit: Permit): void {
    this.#running.push(permit)
    if (!this.#armed) this.#arm(this.#ageMaxMs)
  }

  remove(permit: Permit): void {
    this.#running.remove(permit)
  }

  #arm(delayMs: number): void {
    this.#armed = true
    this.#runtime.setTimer(this.#onTimer, delayMs, true)
  }

  readonly #onTimer = (): void => {
    const now = this.#runtime.now()
    // Still counts as armed while it reclaims: a slot handed on meanwhile must not arm for the newest permit.
    for (let oldest = this.#running.first; oldest !== undefined; oldest = this.#running.first) {
      const dueInMs = oldest.startedAt + this.#ageMaxMs - now
      if (dueInMs > 0) {
        this.#arm(dueInMs)
        return
      }
      this.#reclaim(oldest, now)
    }
    this.#armed = false
  }
}
