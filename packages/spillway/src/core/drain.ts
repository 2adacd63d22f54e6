// An orderly stop: nothing new is admitted, what waits is still served, what runs may finish, and after a grace period
// whoever still waits is told so. It ends exactly once, and asking twice is joining.

import { SpillwayError } from './errors.ts'
import { Problems } from './problems.ts'
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
  readonly #onError: (error: unknown) => void
  readonly #listeners: ((result: DrainResult) => void)[] = []
  #result: DrainResult | undefined

  /**
   * `onGraceOver` is called when the grace period, checked before, passes first; `onError` gets what listeners throw.
   */
  constructor(graceMs: number, onGraceOver: () => void, onError: (error: unknown) => void, runtime: Runtime) {
    this.#runtime = runtime
    this.#onError = onError
    this.#timer = runtime.setTimer(onGraceOver, graceMs)
  }

  /** Calls back once: when the drain ends, or now when it has ended. */
  whenOver(listener: (result: DrainResult) => void): void {
    if (this.#result === undefined) this.#listeners.push(listener)
    else this.#tell(listener, this.#result)
  }

  /** Ends the drain, the first time it is called. */
  end(running: number): void {
    if (this.#result !== undefined) return
    this.#runtime.clearTimer(this.#timer)
    this.#result = { drained: running === 0, running }
    for (const listener of this.#listeners.splice(0)) this.#tell(listener, this.#result)
  }

  #tell(listener: (result: DrainResult) => void, result: DrainResult): void {
    try {
      listener(result)
    } catch (error) {
      this.#onError(error)
    }
  }
}

/** Throws SPILLWAY_OPTIONS_INVALID for a grace period that is no finite number of ms from 0 up. */
export function checkGrace(graceMs: number): void {
  if (Number.isFinite(graceMs) && graceMs >= 0) return
  const problems = new Problems()
  problems.add('graceMs', 'a finite number of ms from 0 up', graceMs)
  throw new SpillwayError('SPILLWAY_OPTIONS_INVALID', `drain: ${problems}`)
}
