// One process with one event loop, as the code inside it meets the world: a runtime whose timers fire late and whose
// arrivals wait unseen while the loop computes or the process is stopped. Production code runs in it unchanged.
//
// A turn of the loop, as libuv 1.45 and later have it (Node 20 and up): poll (one new connection is accepted, then whatever
// sockets brought until now), check (what was deferred), timers. Synchronous work occupies the loop; a process that has
// nothing to compute and is not stopped handles everything at the instant at which it happens.

import type { RandomStream, Runtime, Timer } from '../core/runtime.ts'
import { type Due, type VirtualRuntime, VirtualTimer } from '../runtime/virtual.ts'
import { FifoQueue } from '../structures/fifo-queue.ts'

/** Something of the process that events happen to. `what` is the target's own affair. */
export interface LoopTarget {
  happen(what: number): void
}

// A target and what happens to it.
interface LoopEvent {
  readonly target: LoopTarget
  readonly what: number
}

interface Computation extends LoopEvent {
  readonly lengthMs: number
}

type Phase = 'poll' | 'check' | 'timers'

export class Process implements Runtime, Due {
  readonly #world: VirtualRuntime
  readonly #random: (name: string) => RandomStream
  // Whether code of this process runs at this instant: what happens meanwhile waits for its turn.
  #active = false
  #stops = 0
  #alive = true
  readonly #io = new FifoQueue<LoopEvent>()
  readonly #backlog = new FifoQueue<LoopEvent>()
  readonly #computations = new FifoQueue<Computation>()
  #deferred: (() => void)[] = []
  #lateTimers: ProcessTimer[] = []
  // The computation in hand and when it will be over; what is left of it while the process is stopped.
  #computing: Computation | undefined
  #computingLeftMs = 0
  readonly #timer = new VirtualTimer(this)
  // Where the turn is, and how many of this phase's events were there when it began.
  #phase: Phase = 'poll'
  #left = 0
  #waking = false

  /** `name` sets its random streams apart from those of other processes. */
  constructor(world: VirtualRuntime, name: string) {
    this.#world = world
    this.#random = (stream) => world.stream(`${name}/${stream}`)
  }

  now(): number {
    return this.#world.now()
  }

  wallNow(): number {
    return this.#world.wallNow()
  }

  stream(name: string): RandomStream {
    return this.#random(name)
  }

  report(error: unknown): void {
    this.#world.report(error)
  }

  setTimer(callback: () => void, delayMs: number, background?: boolean): Timer {
    return new ProcessTimer(this, callback, delayMs, background ?? false, this.#world)
  }

  clearTimer(timer: Timer): void {
    if (timer instanceof ProcessTimer) timer.clear()
  }

  defer(callback: () => void): void {
    this.#deferred.push(callback)
    this.#wakeLater()
  }

  /** Connections that wait to be accepted. */
  get backlog(): number {
    return this.#backlog.size
  }

  /** Whether something that happens now is handled now. */
  get free(): boolean {
    return !this.#active && this.#stops === 0 && this.#computing === undefined
  }

  /** Whether it has not been killed. */
  get alive(): boolean {
    return this.#alive
  }

  /** Something came over a connection that is open, or an operation is done. */
  deliver(target: LoopTarget, what: number): void {
    if (!this.#alive) return
    if (!this.free) {
      this.#io.push({ target, what })
      return
    }
    this.#active = true
    target.happen(what)
    this.#active = false
    if (this.#hasWork()) this.#turn()
  }

  /** A new connection waits to be accepted, one per turn; then something has come over it. */
  connect(target: LoopTarget, what: number): void {
    if (!this.#alive) return
    this.#backlog.push({ target, what })
    if (this.free) this.#turn()
  }

  /** Occupies the loop for so long, after what is being computed already; then `target` is told. */
  compute(target: LoopTarget, what: number, lengthMs: number): void {
    this.#computations.push({ target, what, lengthMs })
    if (this.free) this.#turn()
  }

  /** Stops the process, as SIGSTOP does. Stops add up. */
  stop(): void {
    this.#stops++
    if (!this.#timer.pending) return
    this.#computingLeftMs = this.#timer.at - this.now()
    this.#world.stop(this.#timer)
  }

  /** Lets it go on. */
  goOn(): void {
    this.#stops--
    if (this.#stops > 0 || !this.#alive) return
    if (this.#computing !== undefined) this.#world.start(this.#timer, this.#computingLeftMs)
    else this.#turn()
  }

  /** Ends the process. Nothing in it runs again. */
  kill(): void {
    this.#alive = false
    this.#world.stop(this.#timer)
    this.#io.clear()
    this.#backlog.clear()
    this.#computations.clear()
    this.#deferred = []
    this.#lateTimers = []
  }

  /** The computation in hand is over. */
  due(): void {
    const done = this.#computing
    this.#computing = undefined
    if (done === undefined) return
    this.#active = true
    done.target.happen(done.what)
    this.#active = false
    this.#turn()
  }

  /** A timer of this process is due. Called by the timer. */
  timerDue(timer: ProcessTimer): void {
    if (!this.#alive) return
    if (!this.free) {
      this.#lateTimers.push(timer)
      return
    }
    this.#active = true
    timer.fire()
    this.#active = false
    if (this.#hasWork()) this.#turn()
  }

  // Handles what waits, one after the other, until something has to be computed or nothing is left.
  #turn(): void {
    if (!this.free) return
    this.#active = true
    while (this.#alive && this.#stops === 0) {
      const computation = this.#computations.shift()
      if (computation !== undefined) {
        if (computation.lengthMs > 0) {
          this.#computing = computation
          this.#world.start(this.#timer, computation.lengthMs)
          break
        }
        computation.target.happen(computation.what)
      } else if (!this.#handleOne()) break
    }
    this.#active = false
  }

  #handleOne(): boolean {
    for (let tried = 0; tried < 4; tried++) {
      if (this.#left > 0) {
        this.#left--
        if (this.#phase === 'poll') handle(this.#io.shift())
        else if (this.#phase === 'check') this.#deferred.shift()?.()
        else this.#lateTimers.shift()?.fire()
        return true
      }
      if (this.#nextPhase()) return true
    }
    return false
  }

  // Goes to the next phase. True when that has accepted a connection already.
  #nextPhase(): boolean {
    if (this.#phase === 'poll') {
      this.#phase = 'check'
      this.#left = this.#deferred.length
    } else if (this.#phase === 'check') {
      this.#phase = 'timers'
      this.#left = this.#lateTimers.length
    } else {
      this.#phase = 'poll'
      this.#left = this.#io.size
      const connection = this.#backlog.shift()
      handle(connection)
      return connection !== undefined
    }
    return false
  }

  #hasWork(): boolean {
    return this.#computations.size + this.#deferred.length + this.#io.size + this.#lateTimers.length > 0
  }

  // What is deferred by code that nobody called as an event still has its turn at this instant.
  #wakeLater(): void {
    if (this.#waking) return
    this.#waking = true
    this.#world.defer(() => {
      this.#waking = false
      this.#turn()
    })
  }
}

/** A timer of a process: late when the process is busy. */
class ProcessTimer implements Due {
  readonly #process: Process
  readonly #world: VirtualRuntime
  readonly #timer: VirtualTimer
  #callback: (() => void) | undefined

  constructor(process: Process, callback: () => void, delayMs: number, background: boolean, world: VirtualRuntime) {
    this.#process = process
    this.#world = world
    this.#callback = callback
    this.#timer = new VirtualTimer(this, background)
    world.start(this.#timer, delayMs)
  }

  due(): void {
    this.#process.timerDue(this)
  }

  fire(): void {
    const callback = this.#callback
    this.#callback = undefined
    callback?.()
  }

  clear(): void {
    this.#callback = undefined
    this.#world.stop(this.#timer)
  }
}

function handle(event: LoopEvent | undefined): void {
  event?.target.happen(event.what)
}
