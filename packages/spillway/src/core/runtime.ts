// The seam that makes everything provable: time, timers and chance as one object, so that the simulator runs the
// production code unchanged under a virtual clock. A clock without its timers is how half-injected designs happen, so
// there is only the whole. It is passed last and has no default below the public surface.

/** A timer that was set. Opaque: it goes back to `clearTimer` of the runtime that made it. */
export type Timer = object

/** A stream of random numbers that nobody else draws from. */
export interface RandomStream {
  /** The next number, 0 ≤ x < 1. */
  next(): number
}

export interface Runtime {
  /** Monotonic time in ms, with fractions. Its origin means nothing. */
  now(): number

  /** Wall clock in ms since the epoch. For headers and logs only: it steps. */
  wallNow(): number

  /**
   * Calls back once, `delayMs` from now (≥ 0, finite; more than 2^31 − 1 is honoured). May fire up to one loop turn
   * late and, since the loop caches its time, slightly early: look at `now()` in the callback.
   * A `background` timer keeps no process alive.
   */
  setTimer(callback: () => void, delayMs: number, background?: boolean): Timer

  /** Forgets a timer. Nothing happens when it has fired or was cleared before. */
  clearTimer(timer: Timer): void

  /** Calls back once, after the loop has polled for I/O. */
  defer(callback: () => void): void

  /** A random stream that depends on the seed of the runtime and the name alone. */
  stream(name: string): RandomStream

  /** Where an error goes that nobody can be given: a callback or an observer that threw. */
  report(error: unknown): void
}
