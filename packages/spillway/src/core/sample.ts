// What a limiter learns from one settled permit. The permit itself is the sample, so that learning allocates nothing.

/**
 * How admitted work ended.
 * - `success`: it was done.
 * - `ignored`: it says nothing about capacity (bad input, a fault of the handler, an early cancel).
 * - `dropped`: it was lost to overload further on.
 */
export type Outcome = 'success' | 'ignored' | 'dropped'

/** One settled permit, as limiters see it. */
export interface Sample {
  /** When the work started and ended, monotonic ms. */
  readonly startedAt: number
  readonly endedAt: number
  /** Units of cost in flight right after it was admitted, its own included. */
  readonly inFlight: number
  readonly cost: number
  readonly class: string | undefined
  readonly outcome: Outcome
}
