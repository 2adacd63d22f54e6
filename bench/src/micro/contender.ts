// One thing whose operation is timed in a process of its own.

export interface Contender {
  /** Does the operation so many times, one after the other; awaited contenders await each. */
  readonly caller: (times: number) => void | Promise<void>
  /** How many callers run side by side. 101 callers at a limit of 1 keep 100 waiting. Default 1. */
  readonly callers?: number
  /** Throws when something else happened than the name of the contender says. */
  readonly check?: () => void
}

/** Makes a contender, with all that must stand before the first operation. */
export type ContenderFactory = () => Contender | Promise<Contender>

/** How many wait in the contenders named so. */
export const WAITING = 100
