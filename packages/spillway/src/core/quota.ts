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
