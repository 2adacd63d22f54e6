// Adds and takes away replicas, as a horizontal autoscaler does: desired = ceil(now × signal ÷ target), at once upwards and
// late downwards. Fed with the busy share it never sees what a door refuses; fed with demand it does.

import type { Fleet } from './fleet.ts'
import type { AutoscalerPlan } from './scenario.ts'

// Within a tenth of the target nothing is changed, as in Kubernetes; without it the fleet never rests.
const TOLERANCE = 0.1
const DOWN_AFTER_MS = 300_000
const RETIRE_GRACE_MS = 30_000

export class Autoscaler {
  readonly #plan: AutoscalerPlan
  readonly #fleet: Fleet
  #busyMs = 0
  #slotMs = 0
  #firstAttempts = 0
  #workedMs = 0
  #worked = 0
  // Mean work of a request as far as it is known, ms.
  #meanWorkMs = 0
  // Since when fewer would do; undefined while they would not.
  #tooManySince: number | undefined

  constructor(plan: AutoscalerPlan, fleet: Fleet) {
    this.#plan = plan
    this.#fleet = fleet
  }

  start(): void {
    this.#fleet.world.setTimer(this.#look, this.#plan.everyMs, true)
  }

  readonly #look = (): void => {
    const { world, instances, size } = this.#fleet
    const now = world.now()
    this.start()
    const signal = this.#plan.signal === 'demand' ? this.#demand() : this.#utilisation(now)
    if (instances.length === 0 || signal === undefined) return
    const ratio = signal / this.#plan.target
    const wanted = Math.abs(ratio - 1) <= TOLERANCE ? instances.length : Math.ceil(instances.length * ratio)
    const { replicasMin, replicasMax, downAfterMs = DOWN_AFTER_MS } = this.#plan
    const desired = Math.min(replicasMax, Math.max(replicasMin, wanted))
    if (desired >= size) this.#tooManySince = undefined
    else this.#tooManySince ??= now
    for (let count = size; count < desired; count++) this.#fleet.startOne(this.#fleet.freeNumber())
    if (this.#tooManySince === undefined || now - this.#tooManySince < downAfterMs) return
    for (const instance of instances.slice(desired)) this.#fleet.retire(instance, RETIRE_GRACE_MS)
    this.#tooManySince = undefined
  }

  // Busy share of the slots since the last look.
  #utilisation(now: number): number | undefined {
    const { busyMs, slotMs } = this.#fleet.usage(now)
    const share = slotMs > this.#slotMs ? (busyMs - this.#busyMs) / (slotMs - this.#slotMs) : undefined
    this.#busyMs = busyMs
    this.#slotMs = slotMs
    return share
  }

  // Slots that would be busy if everything that was asked for had been served, as a share of those there are.
  #demand(): number | undefined {
    const { books, instances } = this.#fleet
    if (books.worked > this.#worked)
      this.#meanWorkMs = (books.workedMs - this.#workedMs) / (books.worked - this.#worked)
    const slots = instances.reduce((sum, { plant }) => sum + (plant.slots ?? 0), 0)
    const asked = books.firstAttempts - this.#firstAttempts
    this.#firstAttempts = books.firstAttempts
    this.#worked = books.worked
    this.#workedMs = books.workedMs
    return slots === 0 ? undefined : ((asked / this.#plan.everyMs) * this.#meanWorkMs) / slots
  }
}
