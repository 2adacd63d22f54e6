// The open-loop generator: the schedule comes first, and requests leave by the clock whatever the answers do. A caller's
// latency counts from the start it intended, so time lost on the way to the socket is not hidden.
//
// When the generator itself falls behind, late requests keep their intended start; one that is a whole timeout late is
// not sent at all, since its caller would have left, and counts as unsent. It never sends a burst to catch up with
// requests that nobody waits for any more.

import type { Arrivals } from './arrivals.ts'
import type { Leave } from './caller.ts'
import { outcomeCode, reasonCode } from './ledger.ts'
import type { ServiceName, Settled } from './messages.ts'

export type Target = {
  readonly service: ServiceName
  send(critical: boolean, answered: (status: number, reason: string | undefined) => void): Leave
}

const good = outcomeCode('good')
const late = outcomeCode('late')
const rejected = outcomeCode('rejected')
const timeout = outcomeCode('timeout')
const failed = outcomeCode('failed')
const unsent = outcomeCode('unsent')

export class Generator {
  readonly #arrivals: Arrivals
  readonly #timeoutMs: number
  readonly #lanes: Lane[]
  readonly #latenessMs: Float64Array
  #sent = 0
  #startMs = 0
  // Arrivals before #next have come due. Of those, the ones before #oldest are all settled: every caller waits equally
  // long, so they leave in the order they came.
  #next = 0
  #oldest = 0
  #timer: NodeJS.Timeout | undefined
  #finish: () => void = () => {}

  constructor(arrivals: Arrivals, targets: readonly Target[], timeoutMs: number) {
    this.#arrivals = arrivals
    this.#timeoutMs = timeoutMs
    this.#lanes = targets.map((target) => new Lane(target, arrivals, timeoutMs, () => this.#finishIfOver()))
    this.#latenessMs = new Float64Array(arrivals.intendedMs.length * targets.length)
  }

  get elapsedMs(): number {
    return performance.now() - this.#startMs
  }

  get due(): number {
    return this.#next
  }

  get latenessMs(): Float64Array {
    return this.#latenessMs.subarray(0, this.#sent)
  }

  /** Settled since the last call. */
  takeSettled(): Settled[] {
    return this.#lanes.map((lane) => lane.takeSettled())
  }

  /** Offers the whole schedule; resolves when the last caller has been answered or has left. */
  run(): Promise<void> {
    this.#startMs = performance.now()
    for (const lane of this.#lanes) lane.startMs = this.#startMs
    return new Promise((resolve) => {
      this.#finish = resolve
      this.#turn()
    })
  }

  /** Sends what is due, lets the impatient leave, and wakes again when there is something to do. */
  #turn(): void {
    const nowMs = this.elapsedMs
    this.#sendDue(nowMs)
    const { intendedMs } = this.#arrivals
    for (; this.#oldest < this.#next && intendedMs[this.#oldest]! + this.#timeoutMs <= nowMs; this.#oldest++) {
      for (const lane of this.#lanes) lane.giveUp(this.#oldest)
    }
    if (this.#isOver) {
      this.#finish()
      return
    }
    const arrivalMs = this.#next < intendedMs.length ? intendedMs[this.#next]! : Number.POSITIVE_INFINITY
    const departureMs = this.#oldest < this.#next ? intendedMs[this.#oldest]! + this.#timeoutMs : arrivalMs
    const wakeAtMs = Math.min(arrivalMs, departureMs)
    this.#timer = setTimeout(() => this.#turn(), Math.max(1, wakeAtMs - this.elapsedMs))
  }

  #sendDue(nowMs: number): void {
    const { intendedMs, critical } = this.#arrivals
    for (; this.#next < intendedMs.length && intendedMs[this.#next]! <= nowMs; this.#next++) {
      const intended = intendedMs[this.#next]!
      for (const lane of this.#lanes) {
        const latenessMs = this.elapsedMs - intended
        if (latenessMs > this.#timeoutMs) {
          lane.settle(this.#next, unsent, 'none', latenessMs)
        } else {
          this.#latenessMs[this.#sent++] = latenessMs
          lane.send(this.#next, critical[this.#next] === 1)
        }
      }
    }
  }

  get #isOver(): boolean {
    return this.#next === this.#arrivals.intendedMs.length && this.#lanes.every((lane) => lane.pending === 0)
  }

  // The last answer usually comes well before the last caller would have left; there is nothing to wait for then.
  #finishIfOver(): void {
    if (!this.#isOver) return
    clearTimeout(this.#timer)
    this.#finish()
  }
}

/** The callers of one service. */
class Lane {
  readonly #target: Target
  readonly #arrivals: Arrivals
  readonly #timeoutMs: number
  readonly #answered: () => void
  // How each waiting caller leaves; undefined once it is settled.
  readonly #leave: (Leave | undefined)[]
  startMs = 0
  pending = 0
  #index: number[] = []
  #outcome: number[] = []
  #reason: number[] = []
  #latencyMs: number[] = []

  constructor(target: Target, arrivals: Arrivals, timeoutMs: number, answered: () => void) {
    this.#answered = answered
    this.#target = target
    this.#arrivals = arrivals
    this.#timeoutMs = timeoutMs
    this.#leave = new Array(arrivals.intendedMs.length)
  }

  send(index: number, critical: boolean): void {
    this.pending++
    this.#leave[index] = this.#target.send(critical, (status, reason) => {
      if (this.#leave[index] === undefined) return
      this.#leave[index] = undefined
      this.pending--
      const latencyMs = performance.now() - this.startMs - this.#arrivals.intendedMs[index]!
      this.settle(index, this.#judge(status, latencyMs), reason, latencyMs)
      this.#answered()
    })
  }

  giveUp(index: number): void {
    const leave = this.#leave[index]
    if (leave === undefined) return
    this.#leave[index] = undefined
    this.pending--
    this.settle(index, timeout, 'none', this.#timeoutMs)
    leave()
  }

  settle(index: number, outcome: number, reason: string | undefined, latencyMs: number): void {
    this.#index.push(index)
    this.#outcome.push(outcome)
    this.#reason.push(reasonCode(reason))
    this.#latencyMs.push(latencyMs)
  }

  takeSettled(): Settled {
    const settled = {
      service: this.#target.service,
      index: Uint32Array.from(this.#index),
      outcome: Uint8Array.from(this.#outcome),
      reason: Uint8Array.from(this.#reason),
      latencyMs: Float64Array.from(this.#latencyMs),
    }
    this.#index = []
    this.#outcome = []
    this.#reason = []
    this.#latencyMs = []
    return settled
  }

  #judge(status: number, latencyMs: number): number {
    if (status === 200) return latencyMs <= this.#timeoutMs ? good : late
    return status === 503 || status === 429 ? rejected : failed
  }
}
