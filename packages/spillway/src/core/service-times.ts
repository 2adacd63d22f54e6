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
// What is refused is never measured, so a class that was slow once (five cold starts are enough) would be refused for
// ever. Without a success for so long, one that looks hopeless is tried. Halved, a class that stays slow wastes twice as
// much; doubled, one that has recovered is refused twice as long.
const TRIAL_AFTER_MS = 1000
// A class that stays slow is tried for a third of the time of one slot; one whose trials do not succeed at all less and less.
const TRIAL_SERVICE_TIMES = 2
const BACK_OFF_MAX = 8

/** Service times of one class. */
export class ServiceTime {
  #successes = new FadingHistogram()
  #feasibleMs = 0
  #sinceRead = 0
  // When something was last learned or tried, monotonic ms; and how many times longer to wait since trials fail.
  #learnedAt = 0
  #backOff = 1

  /** Least time in which work of this class is likely done, ms: its 0.2-quantile, or 0 until five successes are known. */
  get feasibleMs(): number {
    // Walking the histogram for every arrival would cost more than the rest of the decision.
    if (this.#sinceRead * 16 > this.#successes.count) {
      this.#feasibleMs = this.#successes.count < SAMPLES_MIN ? 0 : this.#successes.quantile(feasibleQuantile)
      this.#sinceRead = 0
    }
    return this.#feasibleMs
  }

  /** Whether work that looks hopeless is to be tried at `now`: then it must be started. */
  tryAgain(now: number): boolean {
    const quietMs = Math.max(TRIAL_AFTER_MS, TRIAL_SERVICE_TIMES * this.feasibleMs) * this.#backOff
    if (now - this.#learnedAt < quietMs) return false
    this.#learnedAt = now
    this.#backOff = Math.min(BACK_OFF_MAX, 2 * this.#backOff)
    return true
  }

  recordSuccess(serviceMs: number, now: number): void {
    // A trial that took not even half of what four in five take refutes what was known.
    if (this.#backOff > 1 && serviceMs < this.#feasibleMs / 2) this.#successes = new FadingHistogram()
    this.#backOff = 1
    this.#learnedAt = now
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

  /**
   * How long a newcomer waits, ms, behind `aheadCost` units in line for `limit` slots that are all busy: the work in service
   * has its mean residual life to go (Pollaczek–Khinchine), and that and the work in front share the slots.
   */
  waitMs(aheadCost: number, limit: number): number {
    const msPerUnit = this.#cost.count === 0 ? 0 : this.#slotTime.mean / this.#cost.mean
    return (this.#hold.residual + aheadCost * msPerUnit) / limit
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
    if (settled && permit.outcome === 'success') permit.serviceTime.recordSuccess(holdMs, permit.endedAt)
  }
}
