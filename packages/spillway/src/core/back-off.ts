// When may a refused caller come again? Soon when little is refused, later when much is: if every caller comes back
// after T × offered ÷ served, the retries of a population that is k times too large add the same load whatever k is.
// Jitter keeps those refused together from coming back together.

import type { RandomStream } from './runtime.ts'

// A second is what a person waits without noticing; half a minute is as long as a sensible client obeys.
const BASE_MS = 1000
const MAX_MS = 30_000
// About the last 64 arrivals count. Halved, one burst makes the advice jump; doubled, it lags a spike by a second.
const WEIGHT = 1 / 64

export class BackOff {
  readonly #random: RandomStream
  #refusedShare = 0

  constructor(random: RandomStream) {
    this.#random = random
  }

  countAdmitted(): void {
    this.#refusedShare -= WEIGHT * this.#refusedShare
  }

  countRefused(): void {
    this.#refusedShare += WEIGHT * (1 - this.#refusedShare)
  }

  /** Whole ms, ≥ 500 and ≤ 30 000: one second × offered ÷ served, times a factor between ½ and 1½. */
  adviseMs(): number {
    const overload = 1 / Math.max(1 - this.#refusedShare, BASE_MS / MAX_MS)
    return wholeMs(Math.min(MAX_MS, BASE_MS * overload * (0.5 + this.#random.next())))
  }
}

/** Rounds up to whole ms that V8 stores without allocating (31 bits); never NaN. */
export function wholeMs(ms: number): number {
  return Math.ceil(Math.min(Math.max(ms, -0x3fffffff), 0x3fffffff)) | 0
}
