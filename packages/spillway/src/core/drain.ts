// An orderly stop: nothing new is admitted, what waits is still served, what runs may finish, and after a grace period
// whoever still waits is told so. It ends exactly once, and asking twice is joining.

import type { Runtime, Timer } from './runtime.ts'

/** How a drain ended. */
export interface DrainResult {
  /** Whether everything had ended within the grace period. */
  readonly drained: boolean
  /** Permits still running when it ended. */
  readonly running: number
}

export class Drain {
  readonly #runtime: Runtime
  readonly #timer: Timer
  readonly #listeners: ((result: DrainResult) => void)[] = []
  #result: DrainResult | undefined

  /** `onGraceOver` is called when the grace period passes first. */
  constructor(graceMs: number, onGraceOver: () => void, runtime: Runtime) {
    this.#runtime = runtime
    this.#timer = runtime.setTimer(onGraceOver, graceMs)
  }

  /** Calls back once: when the drain ends, or now when it has ended. */
  whenOver(listener: (result: DrainResult) => void): void {
    if (this.#result === undefined) this.#listeners.push(listener)
    else listener(this.#result)
  }

  /** Ends the drain, the first time it is called. */
  end(running: number): void {
    if (this.#result !== undefined) return
    this.#runtime.clearTimer(this.#timer)
    this.#result = { drained: running === 0, running }
    for (const listener of this.#listeners.splice(0)) listener(this.#result)
  }
}
