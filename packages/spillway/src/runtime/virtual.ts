// The virtual twin of runtime/node.ts: time stands still until it is moved, then jumps from timer to timer. The same
// seed gives the same run, down to the order of callbacks due at one instant.

import { assert } from '../core/assert.ts'
import type { RandomStream, Runtime, Timer } from '../core/runtime.ts'
import { SeededStream } from '../structures/prng.ts'
import { TimedHeap, type TimedItem } from '../structures/timed-heap.ts'

class VirtualTimer implements TimedItem {
  at: number
  sequence = 0
  heapIndex = -1
  readonly callback: () => void
  readonly background: boolean

  constructor(at: number, callback: () => void, background: boolean) {
    this.at = at
    this.callback = callback
    this.background = background
  }
}

/** A runtime whose time its owner moves. Not shared between simulations. */
export class VirtualRuntime implements Runtime {
  readonly seed: number
  /** Errors that were reported, oldest first; at most 100 are kept. */
  readonly reported: unknown[] = []
  readonly #timers = new TimedHeap<VirtualTimer>()
  #deferred: (() => void)[] = []
  #now = 0
  #wallOffsetMs: number
  #foreground = 0

  /** `wallStartMs`: what the wall clock says at time 0, ms since the epoch. */
  constructor(seed = 1, wallStartMs = Date.UTC(2026, 0, 1)) {
    this.seed = seed
    this.#wallOffsetMs = wallStartMs
  }

  now(): number {
    return this.#now
  }

  wallNow(): number {
    return this.#now + this.#wallOffsetMs
  }

  /** Steps the wall clock, as an operator or NTP would. Monotonic time is untouched. */
  stepWall(byMs: number): void {
    this.#wallOffsetMs += byMs
  }

  setTimer(callback: () => void, delayMs: number, background = false): Timer {
    assert(delayMs >= 0 && delayMs < Infinity, `a timer needs a finite delay of 0 ms or more, got ${delayMs}`)
    const timer = new VirtualTimer(this.#now + delayMs, callback, background)
    this.#timers.push(timer)
    if (!background) this.#foreground++
    return timer
  }

  clearTimer(timer: Timer): void {
    if (timer instanceof VirtualTimer && this.#timers.remove(timer) && !timer.background) this.#foreground--
  }

  defer(callback: () => void): void {
    this.#deferred.push(callback)
  }

  stream(name: string): RandomStream {
    return new SeededStream(this.seed, name)
  }

  report(error: unknown): void {
    if (this.reported.length < 100) this.reported.push(error)
  }

  /** Timers set and neither fired nor cleared; `background` ones are not counted. */
  get timersPending(): number {
    return this.#foreground
  }

  /** Moves time by `byMs`, running everything that falls due on the way. */
  advance(byMs: number): void {
    this.runUntil(this.#now + byMs)
  }

  /** Runs everything due up to and including `untilMs`, and leaves the clock there. */
  runUntil(untilMs: number): void {
    this.#runDeferred()
    for (let next = this.#timers.peek(); next !== undefined && next.at <= untilMs; next = this.#timers.peek()) {
      this.#fire(next)
    }
    this.#now = Math.max(this.#now, untilMs)
  }

  /** Runs until nothing but background timers is left. Returns how many timers fired. */
  run(): number {
    let fired = 0
    this.#runDeferred()
    for (let next = this.#timers.peek(); next !== undefined && this.#foreground > 0; next = this.#timers.peek()) {
      this.#fire(next)
      fired++
    }
    return fired
  }

  /** Lets time pass in which nothing can run, as when the process is stopped: timers fire late, all at once. */
  stall(forMs: number): void {
    this.#now += forMs
  }

  #fire(timer: VirtualTimer): void {
    this.#timers.remove(timer)
    if (!timer.background) this.#foreground--
    this.#now = Math.max(this.#now, timer.at)
    timer.callback()
    this.#runDeferred()
  }

  // Like Node's check phase: what is deferred while deferred work runs has its turn in the next round.
  #runDeferred(): void {
    while (this.#deferred.length > 0) {
      const round = this.#deferred
      this.#deferred = []
      for (const callback of round) callback()
    }
  }
}
