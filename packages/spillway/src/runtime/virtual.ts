// The virtual twin of runtime/node.ts: time stands still until it is moved, then jumps from timer to timer. The same
// seed gives the same run, down to the order of callbacks due at one instant.

import { assert } from '../core/assert.ts'
import type { RandomStream, Runtime, Timer } from '../core/runtime.ts'
import { SeededStream } from '../structures/prng.ts'
import { TimedHeap, type TimedItem } from '../structures/timed-heap.ts'

/** Whoever a reusable timer belongs to. */
export interface Due {
  /** Its time has come. */
  due(): void
}

/** A timer that its owner starts as often as it likes: a simulation sets millions, and a closure for each would cost most. */
export class VirtualTimer implements TimedItem {
  at = 0
  sequence = 0
  heapIndex = -1
  readonly target: Due
  readonly background: boolean
  /** The phase in which it was started. */
  phase = 0

  constructor(target: Due, background = false) {
    this.target = target
    this.background = background
  }

  /** Whether it is started and has not fired. */
  get pending(): boolean {
    return this.heapIndex >= 0
  }
}

class Callback implements Due {
  readonly due: () => void

  constructor(callback: () => void) {
    this.due = callback
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
  // Counts the turns of the loop in which timers ran.
  #phase = 0
  #fired = 0
  #stopped = 0
  #halted = false
  readonly #trace = new Trace()

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
    const timer = new VirtualTimer(new Callback(callback), background)
    this.start(timer, delayMs)
    return timer
  }

  clearTimer(timer: Timer): void {
    if (timer instanceof VirtualTimer) this.stop(timer)
  }

  /** Starts a timer that is not pending. */
  start(timer: VirtualTimer, delayMs: number): void {
    timer.at = this.#now + delayMs
    timer.phase = this.#phase
    this.#timers.push(timer)
    if (!timer.background) this.#foreground++
  }

  /** Forgets a timer if it is pending. */
  stop(timer: VirtualTimer): void {
    if (!this.#timers.remove(timer)) return
    this.#stopped++
    if (!timer.background) this.#foreground--
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

  /** Timers that have fired or were stopped before they did. */
  get events(): number {
    return this.#fired + this.#stopped
  }

  /** A hash of when, and in which order, every timer fired: equal for equal runs, on every machine. */
  get traceHash(): string {
    return this.#trace.hash
  }

  /** Ends `run` or `runUntil` after the timer that is being served, with the clock where it is. */
  halt(): void {
    this.#halted = true
  }

  /** Moves time by `byMs`, running everything that falls due on the way. */
  advance(byMs: number): void {
    this.runUntil(this.#now + byMs)
  }

  /** Runs everything due up to and including `untilMs`, and leaves the clock there. */
  runUntil(untilMs: number): void {
    this.#halted = false
    this.#runDeferred()
    for (let next = this.#timers.peek(); next !== undefined && next.at <= untilMs; next = this.#timers.peek()) {
      this.#runTimers(next)
      if (this.#halted) return
    }
    this.#now = Math.max(this.#now, untilMs)
  }

  /** Runs until nothing but background timers is left, or up to and including `untilMs`. Returns how many timers fired. */
  run(untilMs = Infinity): number {
    const before = this.#fired
    this.#halted = false
    this.#runDeferred()
    for (let next = this.#timers.peek(); next !== undefined && this.#foreground > 0; next = this.#timers.peek()) {
      if (next.at > untilMs) break
      this.#runTimers(next)
      if (this.#halted) break
    }
    return this.#fired - before
  }

  /** Lets time pass in which nothing can run, as when the process is stopped: timers fire late, all at once. */
  stall(forMs: number): void {
    this.#now += forMs
  }

  // Like Node's timers phase: everything that is due runs before anything deferred, and a timer that is set meanwhile has its
  // turn in the next phase, even with a delay of 0.
  #runTimers(first: VirtualTimer): void {
    this.#now = Math.max(this.#now, first.at)
    const dueAt = this.#now
    const phase = ++this.#phase
    for (
      let next = this.#timers.peek();
      next !== undefined && next.at <= dueAt && next.phase < phase;
      next = this.#timers.peek()
    ) {
      this.#timers.remove(next)
      if (!next.background) this.#foreground--
      this.#fired++
      this.#trace.add(next.at, next.sequence)
      next.target.due()
    }
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

const instant = new Float64Array(1)
const words = new Uint32Array(instant.buffer)
// Which of the two words is the low one depends on the machine; the hash must not.
const LOW_WORD = new Uint8Array(new Uint32Array([1]).buffer)[0] === 1 ? 0 : 1

// Two lanes of multiply and fold over the bits of times and sequence numbers: integers only, so no engine and no machine
// rounds differently.
class Trace {
  #a = 0x811c9dc5 | 0
  #b = 0x1b873593

  add(at: number, sequence: number): void {
    instant[0] = at
    const low = words[LOW_WORD] as number
    const high = words[1 - LOW_WORD] as number
    const a = Math.imul(this.#a ^ low ^ sequence, 0x85ebca6b)
    const b = Math.imul(this.#b ^ high ^ a, 0xc2b2ae35)
    this.#a = a ^ (b >>> 15)
    this.#b = b ^ (a >>> 13)
  }

  get hash(): string {
    return [this.#a, this.#b].map((lane) => (lane >>> 0).toString(16).padStart(8, '0')).join('')
  }
}
