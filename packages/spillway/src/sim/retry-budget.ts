// Bounds retries to a share of first attempts: each first attempt earns a part of a token, each retry spends one. In quiet
// hours every failure may be tried again; in an outage retries cannot add more load than that share.

import type { RetryBudgetPlan } from './scenario.ts'

// Ten tenths add up to a little less than one.
const ROUNDING = 1e-9

export class RetryBudget {
  readonly #ratio: number
  readonly #tokensMax: number
  #tokens: number

  constructor({ ratio, reserve = 10, tokensMax = 100 }: RetryBudgetPlan) {
    this.#ratio = ratio
    this.#tokensMax = tokensMax
    this.#tokens = Math.min(reserve, tokensMax)
  }

  earn(): void {
    this.#tokens = Math.min(this.#tokensMax, this.#tokens + this.#ratio)
  }

  /** Whether another attempt may be made; then it is paid for. */
  spend(): boolean {
    if (this.#tokens < 1 - ROUNDING) return false
    this.#tokens--
    return true
  }
}
