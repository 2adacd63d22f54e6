// Running mean and mean square of a positive quantity that drifts: an exponentially weighted average whose first
// samples count in full (weight 1/n until 1/n falls below the floor), so that it is right from the first sample on.

// Halving the memory makes estimated waits jump with each slow request; doubling it makes them lag a change of service
// time by a second and more at 100 completions a second.
const WEIGHT_MIN = 1 / 64

export class Moments {
  #count = 0
  #mean = 0
  #meanSquare = 0

  /** Number of samples seen. */
  get count(): number {
    return this.#count
  }

  /** The mean, or 0 before the first sample. */
  get mean(): number {
    return this.#mean
  }

  /**
   * Mean residual life, E[x²] / 2E[x]: how long what is seen running at a random instant has still to go.
   * Half the mean for a constant, the mean for an exponential. 0 before the first sample.
   */
  get residual(): number {
    return this.#mean > 0 ? this.#meanSquare / (2 * this.#mean) : 0
  }

  record(value: number): void {
    this.#count++
    const weight = Math.max(WEIGHT_MIN, 1 / this.#count)
    this.#mean += weight * (value - this.#mean)
    this.#meanSquare += weight * (value * value - this.#meanSquare)
  }
}
