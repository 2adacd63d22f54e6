// How much one key may use per span of time, here or shared through a store. A shared store answers late, so the
// contract does: at once when it can, through a callback when it cannot. While the answer is out, the arrival waits,
// with the same bound and deadline as any other.

/** What a quota says. */
export interface QuotaAnswer {
  readonly allowed: boolean
  /** When the key's share has refilled enough, ms from now; undefined when allowed, or when the cost can never fit. */
  readonly retryAfterMs: number | undefined
}

export interface Quota {
  /**
   * Asks for `cost` tokens of `key`. Returns the answer, or undefined when it will come later through `answer`, which is
   * then called once, not from inside `take`. A refusal takes nothing.
   */
  take(key: string, cost: number, answer: (answer: QuotaAnswer) => void): QuotaAnswer | undefined

  /** Gives back what was taken for work that was refused after all. */
  refund(key: string, cost: number): void
}

/** Allowed, without anything having been taken. */
export const unmetered: QuotaAnswer = Object.freeze({ allowed: true, retryAfterMs: undefined })

/**
 * A quota that cannot throw: one that is broken must not take the service down with it. What it throws goes to `onError`,
 * and the arrival is {@link unmetered}; the limit still holds.
 */
export class GuardedQuota {
  readonly #quota: Quota
  readonly #onError: (error: unknown) => void

  constructor(quota: Quota, onError: (error: unknown) => void) {
    this.#quota = quota
    this.#onError = onError
  }

  take(key: string, cost: number, answer: (answer: QuotaAnswer) => void): QuotaAnswer | undefined {
    try {
      return this.#quota.take(key, cost, answer)
    } catch (error) {
      this.#onError(error)
      return unmetered
    }
  }

  refund(key: string, cost: number): void {
    try {
      this.#quota.refund(key, cost)
    } catch (error) {
      this.#onError(error)
    }
  }
}

/**
 * When the share has refilled, in whole ms. Not cut to 31 bits as other times are: a quota of ninety days has longer waits,
 * and who obeys must not be refused again.
 */
export function refillMs({ retryAfterMs }: QuotaAnswer): number | undefined {
  return retryAfterMs === undefined || Number.isNaN(retryAfterMs) ? undefined : Math.max(0, Math.ceil(retryAfterMs))
}
