// How long work takes, by class, learned from what ran. Two questions, two answers: how long is a slot held (every
// ending counts, since a failure holds its slot too) and how quickly can work of this class be done (successes only: a
// failure in 1 ms is not fast service).

import { FadingHistogram } from '../structures/histogram.ts'
import { Moments } from '../structures/moments.ts'
import type { Permit } from './permit.ts'

/**
 * Which quantile of its service time a request must still have left to be worth starting. At 0.2 only work that four in
 * five times would be late is refused; at 0.5 twice as many requests are refused that would have made it; at 0 nothing
 * is refused before its deadline has passed.
 */
export const feasibleQuantile = 0.2

// Below this many successes nothing is known, and nothing is refused for it.
const SAMPLES_MIN = 5

/** Service times of one class. */
export class ServiceTime {
  readonly #successes = new FadingHistogram()
  #feasibleMs = 0
  #sinceRead = 0

  /** Least time in which work of this class is likely done, ms: its 0.2-quantile, or 0 until five successes are known. */
  get feasibleMs(): number {
    // Walking the histogram for every arrival would cost more than the rest of the decision.
    if (this.#sinceRead * 16 > this.#successes.count) {
      this.#feasibleMs = this.#successes.count < SAMPLES_MIN ? 0 : this.#successes.quantile(feasibleQuantile)
      this.#sinceRead = 0
    }
    return this.#feasibleMs
  }

  recordSuccess(serviceMs: number): void {
    this.#successes.record(serviceMs)
    this.#sinceRead++
  }
}

export class ServiceTimes {
  // Time a slot is held, ms; slot-time, cost × that; and cost, over everything that ran.
  readonly #hold = new Moments()
  readonly #slotTime = new Moments()
  readonly #cost = new Moments()
  readonly #unnamed = new ServiceTime()
  readonly #other = new ServiceTime()
  // At most #classesMax entries. Later names share #other, since names may be chosen by strangers.
  readonly #byClass = new Map<string, ServiceTime>()
  readonly #classesMax: number

  constructor(classesMax: number) {
    this.#classesMax = classesMax
  }

  /** What is in service has this long to go, ms, seen at a random instant. */
  get residualMs(): number {
    return this.#hold.residual
  }

  /** How long a unit of cost keeps a slot busy, ms; 0 until something has ended. */
  get msPerUnit(): number {
    return this.#cost.count === 0 ? 0 : this.#slotTime.mean / this.#cost.mean
  }

  of(className: string | undefined): ServiceTime {
    if (className === undefined) return this.#unnamed
    const known = this.#byClass.get(className)
    if (known !== undefined) return known
    if (this.#byClass.size >= this.#classesMax) return this.#other
    const added = new ServiceTime()
    this.#byClass.set(className, added)
    return added
  }

  /** Learns from a permit that came back; `settled` is false when its caller had left. */
  record(permit: Permit, settled: boolean): void {
    const holdMs = permit.endedAt - permit.startedAt
    this.#hold.record(holdMs)
    this.#slotTime.record(permit.cost * holdMs)
    this.#cost.record(permit.cost)
    if (settled && permit.outcome === 'success') permit.serviceTime.recordSuccess(holdMs)
  }
}
