// The production runtime: the one place that touches Node's clocks, timers and chance.

import { inspect } from 'node:util'
import { assert } from '../core/assert.ts'
import type { RandomStream, Runtime, Timer } from '../core/runtime.ts'

// Beyond this Node turns a delay into 1 ms, with a warning: a limit for ninety days that ends at once (case C52).
const DELAY_MAX_MS = 2 ** 31 - 1

// A timer longer than Node can hold is set again for what is left each time a part of it has passed.
class NodeTimer {
  readonly #callback: () => void
  readonly #background: boolean
  #leftMs: number
  #timeout: NodeJS.Timeout

  constructor(callback: () => void, delayMs: number, background: boolean) {
    this.#callback = callback
    this.#background = background
    this.#leftMs = delayMs
    this.#timeout = this.#arm()
  }

  clear(): void {
    clearTimeout(this.#timeout)
  }

  #arm(): NodeJS.Timeout {
    const partMs = Math.min(this.#leftMs, DELAY_MAX_MS)
    this.#leftMs -= partMs
    const timeout = setTimeout(this.#onTimeout, Math.ceil(partMs))
    if (this.#background) timeout.unref()
    return timeout
  }

  readonly #onTimeout = (): void => {
    if (this.#leftMs > 0) this.#timeout = this.#arm()
    else this.#callback()
  }
}

const chance: RandomStream = { next: () => Math.random() }

class NodeRuntime implements Runtime {
  now(): number {
    return performance.now()
  }

  wallNow(): number {
    return Date.now()
  }

  setTimer(callback: () => void, delayMs: number, background = false): Timer {
    // As its twin: Node would turn NaN into 1 ms, with a warning.
    assert(delayMs >= 0 && delayMs < Infinity, `a timer needs a finite delay of 0 ms or more, got ${delayMs}`)
    return new NodeTimer(callback, delayMs, background)
  }

  clearTimer(timer: Timer): void {
    if (timer instanceof NodeTimer) timer.clear()
  }

  defer(callback: () => void): void {
    setImmediate(callback)
  }

  stream(): RandomStream {
    return chance
  }

  report(error: unknown): void {
    process.emitWarning(error instanceof Error ? error : inspect(error), { code: 'SPILLWAY_CALLBACK' })
  }
}

/** Real time, real timers, real chance. Stateless, so one serves all doors of a process. */
export const nodeRuntime: Runtime = new NodeRuntime()
