// How many may run. A limiter only computes: it is told what happened and holds a number; the door enforces it. Keeping
// the two apart lets one door serve every algorithm, and lets the simulator judge an algorithm without a door.

import type { Sample } from './sample.ts'

export interface Limiter {
  /** The concurrency limit now, in units of cost: a whole number, 1 or more. */
  readonly limit: number

  /** Learns from one settled permit. Called once per permit, before the freed slot is handed on. */
  sample(sample: Sample): void

  /** Is told whom to call when `limit` changes. Called once, by the door, at construction. */
  onChange(listener: () => void): void

  /** Sets the limit by hand; throws SPILLWAY_OPTIONS_INVALID for anything but a whole number of 1 or more. */
  setLimit(limit: number): void
}

/** Tells a limiter of a settled permit. One that throws must not keep the freed slot from being handed on. */
export function teach(limiter: Limiter, sample: Sample, onError: (error: unknown) => void): void {
  try {
    limiter.sample(sample)
  } catch (error) {
    onError(error)
  }
}

/** Highest limit there is: above it a limit is a mistake, and counts of units stay exact. */
export const limitMax = 1_000_000
