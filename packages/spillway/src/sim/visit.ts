// One call inside one instance: it arrives, perhaps waits, is let in, goes through its steps and is answered. It is the
// waiter of the shipped door, the job of the plant and the caller of further services in one, because one object per call
// is what a million calls a second can afford.

import type { Reason, Rejection } from '../core/decision.ts'
import type { Permit } from '../core/permit.ts'
import type { Outcome } from '../core/sample.ts'
import type { Ticket } from '../core/ticket.ts'
import { VirtualTimer } from '../runtime/virtual.ts'
import type { Linked } from '../structures/linked-list.ts'
import { type Answer, type Attempt, type Caller, type Departure, isRefusal } from './contract.ts'
import type { Guest } from './entrance.ts'
import type { Instance } from './instance.ts'
import { COMPUTED, ELAPSED, type Job, type JobPlace, type WorkEnding } from './plant/plant.ts'
import type { CallEnding } from './service-books.ts'

// Events besides those of the plant.
const ARRIVED = 2
const LEFT = 3
const ANSWERED = 4
const REFUSED = 5
const READ = 6

type State = 'coming' | 'waiting' | 'inside' | 'writing' | 'over'

export class Visit implements Guest, Job, Departure, Linked<Visit> {
  readonly attempt: Attempt
  readonly arrivedAt: number
  permit: Permit | undefined = undefined
  ticket: Ticket | undefined = undefined
  workMs = 0
  beganAt = Number.NaN
  place: JobPlace = 'nowhere'
  /** Whether it has given back what it was let in with, or was never let in. Owned by the instance. */
  released = true
  // Links of the list of all visits of the instance.
  previous: Visit | undefined = undefined
  next: Visit | undefined = undefined

  readonly #instance: Instance
  readonly #caller: Caller
  readonly #timer = new VirtualTimer(this)
  #state: State = 'coming'
  #callerGone = false
  #gone = false
  #waited = false
  #step = 0
  // The call that is out, if one is, and what came back or was refused with.
  #calling: Departure | undefined
  #answer: Answer = 'ok'
  #retryAfterMs: number | undefined
  #writingLeftMs = 0

  constructor(instance: Instance, attempt: Attempt, caller: Caller, arrivedAt: number) {
    this.#instance = instance
    this.attempt = attempt
    this.#caller = caller
    this.arrivedAt = arrivedAt
  }

  /** Whether the process knows that the caller has left. */
  get gone(): boolean {
    return this.#gone
  }

  /** Time left for the calls it makes, ms. A service that works on for callers who have gone knows no deadline. */
  get leftMs(): number {
    const { deadlineMs } = this.attempt
    if (deadlineMs === undefined || this.#instance.leaving === 'works-on') return Infinity
    return deadlineMs - (this.#instance.world.now() - this.arrivedAt)
  }

  get over(): boolean {
    return this.#state === 'over'
  }

  /** It has reached the machine; the process will see it when its loop gets there. */
  arrive(): void {
    this.#instance.receive(this, ARRIVED)
  }

  leave(): void {
    this.#callerGone = true
    if (this.#state !== 'over') this.#instance.process.deliver(this, LEFT)
  }

  happen(what: number): void {
    if (this.#state === 'over') return
    if (what === ELAPSED) this.#onElapsed()
    else if (what === COMPUTED) this.#instance.plant.advance(this, COMPUTED)
    else if (what === ARRIVED) this.#onArrived()
    else if (what === READ) this.#enter()
    else if (what === LEFT) this.#onLeft()
    else if (what === ANSWERED) this.#onAnswered()
    else this.#end(this.#answer, 'rejected', this.#retryAfterMs)
  }

  #onArrived(): void {
    const { readMs, process } = this.#instance
    if (readMs > 0) process.compute(this, READ, readMs)
    else this.#enter()
  }

  #enter(): void {
    const { entrance, books } = this.#instance
    books.offered++
    this.#state = 'waiting'
    if (entrance === undefined) this.comeIn()
    else entrance.enter(this)
    // It hung up before anyone read what it wanted: that is noticed in the next turn.
    if (this.#gone && !this.over) this.#instance.process.deliver(this, LEFT)
  }

  admitted(permit: Permit): void {
    this.permit = permit
    this.comeIn()
  }

  comeIn(): void {
    this.#state = 'inside'
    this.ticket = undefined
    this.#instance.letIn(this)
    this.#nextStep()
  }

  rejected(rejection: Rejection): void {
    this.turnedAway(rejection.reason, rejection.retryAfterMs)
  }

  turnedAway(reason: Reason, retryAfterMs: number | undefined): void {
    const { books, refuseMs, process } = this.#instance
    books.turnedAway++
    this.ticket = undefined
    this.#noteWait(process.now())
    if (refuseMs === 0) {
      this.#end(reason, 'rejected', retryAfterMs)
      return
    }
    this.#answer = reason
    this.#retryAfterMs = retryAfterMs
    process.compute(this, REFUSED, refuseMs)
  }

  startTimer(delayMs: number): void {
    this.#instance.world.start(this.#timer, delayMs)
  }

  stopTimer(): void {
    this.#instance.world.stop(this.#timer)
  }

  due(): void {
    this.#instance.process.deliver(this, ELAPSED)
  }

  /** Takes so much of the plant. Called by a step. */
  work(lengthMs: number): void {
    this.workMs = lengthMs
    this.#instance.plant.run(this)
  }

  /** Waits without taking anything. Called by a step. */
  pause(lengthMs: number): void {
    if (lengthMs > 0) this.startTimer(lengthMs)
    else this.#nextStep()
  }

  /** A call of this visit is out. Called by a step, which calls `heard` when it is back. */
  calls(departure: Departure): void {
    this.#calling = departure
  }

  heard(answer: Answer): void {
    this.#answer = answer
    this.#calling = undefined
    this.#instance.process.deliver(this, ANSWERED)
  }

  workBegins(now: number): void {
    this.#noteWait(now)
  }

  worked(ending: WorkEnding, busyMs: number): void {
    if (ending !== 'refused') this.#instance.books.work(busyMs, this.attempt.abandoned)
    if (ending === 'ok') this.#nextStep()
    else if (ending === 'failed') this.#end('failed', 'failed')
    else this.#end('capacity', 'rejected')
  }

  /** The process has died. */
  cutOff(): void {
    this.stopTimer()
    this.#calling?.leave()
    this.#state = 'over'
    this.#instance.forget(this, 'failed')
    this.#tell('failed', undefined)
  }

  #onElapsed(): void {
    if (this.#state === 'writing') this.#onWritten()
    else if (this.place === 'slot' || this.place === 'failing') this.#instance.plant.advance(this, ELAPSED)
    else if (this.#state === 'inside') this.#nextStep()
  }

  #onLeft(): void {
    this.#gone = true
    const { entrance, leaving } = this.#instance
    if (this.#state === 'waiting') {
      if (entrance?.leave(this)) this.#end('failed', 'left')
    } else if (this.#state === 'writing') {
      this.#end('failed', 'left')
    } else if (this.#state === 'inside' && leaving !== 'works-on') {
      this.#breakOff(leaving)
    }
  }

  #breakOff(leaving: 'stops' | 'breaks-off'): void {
    if (this.#calling !== undefined) {
      this.#calling.leave()
      this.#calling = undefined
    } else if (this.place !== 'nowhere') {
      if (leaving === 'stops' && this.place !== 'hanging') return
      const { plant, books } = this.#instance
      const began = this.place !== 'line'
      const tookMs = plant.withdraw(this)
      if (tookMs === undefined) return
      if (began) books.work(tookMs, true)
    } else if (!this.#timer.pending) {
      return
    }
    this.#end('failed', 'left')
  }

  #onAnswered(): void {
    const answer = this.#answer
    if (answer === 'ok') this.#nextStep()
    else if (isRefusal(answer)) this.#end('dependency', 'rejected', undefined, 'dropped')
    else this.#end('failed', 'failed', undefined, 'dropped')
  }

  #nextStep(): void {
    if (this.#gone && this.#instance.leaving !== 'works-on') {
      this.#end('failed', 'left')
      return
    }
    const step = this.#instance.stepsFor(this.attempt.request)[this.#step++]
    if (step === undefined) this.#respond()
    else step.run(this)
  }

  // The work is done; the response may take its time with a caller who reads slowly.
  #respond(): void {
    const writeMs = this.#callerGone ? 0 : this.#instance.writeMsOf(this.attempt.request.kind)
    if (writeMs === 0) {
      this.#end('ok', 'done')
      return
    }
    const { writeHoldMaxMs, books, responseBytes } = this.#instance
    this.#state = 'writing'
    books.hold(responseBytes)
    const heldMs = Math.min(writeMs, writeHoldMaxMs)
    this.#writingLeftMs = writeMs - heldMs
    if (heldMs > books.writeHoldMaxMs) books.writeHoldMaxMs = heldMs
    this.startTimer(heldMs)
  }

  #onWritten(): void {
    if (this.#writingLeftMs === 0) {
      this.#end('ok', 'done')
      return
    }
    this.#instance.letGo(this, 'success')
    this.startTimer(this.#writingLeftMs)
    this.#writingLeftMs = 0
  }

  #noteWait(now: number): void {
    if (this.#waited) return
    this.#waited = true
    this.#instance.books.wait(now - this.arrivedAt)
  }

  #end(answer: Answer, ending: CallEnding, retryAfterMs?: number, outcome: Outcome = 'ignored'): void {
    const state = this.#state
    this.#state = 'over'
    this.stopTimer()
    if (state === 'writing') this.#instance.books.hold(-this.#instance.responseBytes)
    this.#instance.forget(this, ending)
    // The slot goes to the next in line before the caller can come again with another attempt.
    if (state === 'inside' || state === 'writing') this.#instance.letGo(this, ending === 'done' ? 'success' : outcome)
    this.#tell(answer, retryAfterMs)
  }

  #tell(answer: Answer, retryAfterMs: number | undefined): void {
    if (this.#callerGone) return
    this.#callerGone = true
    this.#instance.books.answered++
    this.#caller.answered(answer, retryAfterMs)
  }
}
