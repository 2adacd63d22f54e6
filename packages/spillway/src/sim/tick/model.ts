// A server in whole ticks, small enough to follow by hand: why a queue without a bound takes a service down and keeps it
// down, and what each remedy changes. Per tick, in this order: fresh arrivals, then the retries that are due; admission;
// service; then every waiting request that would be late in the next tick is given up by its client, who tries once more.
//
// It is a model of policies, not the shipped code, and the only part of the simulator that is: its published figures are
// reproduced to the last digit, which pins arrivals, order and rounding. Arrivals are Poisson by Knuth's method of
// products of uniform numbers, from the generator of CPython's `random.Random(2026)`.

import { Mt19937 } from '../../structures/mt19937.ts'
import { Throttle } from './throttle.ts'

export interface TickPolicy {
  /** `adaptive-lifo` takes the newest first while more than a tick's work waits at the start of its service. */
  readonly order: 'fifo' | 'adaptive-lifo'
  /** Whether what is late is thrown away unserved, at no cost, when its turn comes. */
  readonly dropsLate: boolean
  /** Most that may wait; beyond it arrivals are refused. `Infinity`: no bound. */
  readonly bound: number
  /** Share of a request's work that a refusal takes. Refusals come first: what they leave of the tick serves. */
  readonly refusalCost: number
  /** Whether a client that gave up, or was refused, tries once more in the next tick. */
  readonly retries: boolean
  /** Clients refuse themselves once they send more than this multiple of what is accepted; undefined: they never do. */
  readonly throttleK: number | undefined
}

export interface TickPlan {
  /** Requests served in a tick. */
  readonly capacity: number
  /** A request is late when this many ticks have passed since it was sent. */
  readonly patience: number
  readonly ticks: number
  readonly seed: number
  /** Mean of fresh arrivals in a tick. */
  readonly loadAt: (tick: number) => number
}

export interface Tick {
  readonly fresh: number
  /** Attempts that reached the server. */
  readonly reached: number
  /** Served before the client gave up, and after. */
  readonly good: number
  readonly wasted: number
  /** Refused by the server, and by the clients themselves. */
  readonly rejected: number
  readonly throttled: number
  /** Most that waited. */
  readonly peak: number
}

/** The published plan: 80 a tick, 160 in ticks 50 to 99, against 100. */
export const publishedPlan: TickPlan = {
  capacity: 100,
  patience: 5,
  ticks: 300,
  seed: 2026,
  loadAt: (tick) => (tick >= 50 && tick < 100 ? 160 : 80),
}

export function runTicks(policy: TickPolicy, plan: TickPlan = publishedPlan): readonly Tick[] {
  const server = new TickServer(policy, plan)
  return Array.from({ length: plan.ticks }, (_, tick) => server.run(tick))
}

class TickServer {
  readonly #policy: TickPolicy
  readonly #plan: TickPlan
  readonly #arrivals: Mt19937
  readonly #throttle: Throttle | undefined
  // Waiting are [head, sent.length): the tick in which each was sent, and whether it was a second attempt.
  readonly #sent: number[] = []
  readonly #isRetry: boolean[] = []
  #head = 0
  #retriesDue = 0

  constructor(policy: TickPolicy, plan: TickPlan) {
    this.#policy = policy
    this.#plan = plan
    this.#arrivals = Mt19937.ofPython(plan.seed)
    // The clients' own draws come from another generator, so that a throttle does not shift the arrivals.
    if (policy.throttleK !== undefined) this.#throttle = new Throttle(policy.throttleK, Mt19937.ofPython(plan.seed + 1))
  }

  run(tick: number): Tick {
    const fresh = poisson(this.#arrivals, this.#plan.loadAt(tick))
    const retries = this.#retriesDue
    this.#retriesDue = 0
    this.#throttle?.begin()
    let rejected = 0
    let throttled = 0
    for (let i = 0; i < fresh + retries; i++) {
      const isRetry = i >= fresh
      if (this.#throttle?.refuses() === true) {
        throttled++
        this.#retry(isRetry)
      } else if (!this.#enqueue(tick, isRetry)) {
        rejected++
        this.#retry(isRetry)
      }
    }
    const peak = this.#waiting
    const { good, wasted } = this.#serve(tick, this.#plan.capacity - this.#policy.refusalCost * rejected)
    this.#giveUp(tick)
    return { fresh, reached: fresh + retries - throttled, good, wasted, rejected, throttled, peak }
  }

  get #waiting(): number {
    return this.#sent.length - this.#head
  }

  #enqueue(tick: number, isRetry: boolean): boolean {
    if (this.#waiting >= this.#policy.bound) return false
    this.#throttle?.accepted()
    this.#sent.push(tick)
    this.#isRetry.push(isRetry)
    return true
  }

  #retry(isRetry: boolean): void {
    if (this.#policy.retries && !isRetry) this.#retriesDue++
  }

  #serve(tick: number, room: number): { good: number; wasted: number } {
    const newestFirst = this.#policy.order === 'adaptive-lifo' && this.#waiting > this.#plan.capacity
    let good = 0
    let wasted = 0
    while (good + wasted + 1 <= room && this.#waiting > 0) {
      const late = tick - this.#next(newestFirst) >= this.#plan.patience
      if (!late) good++
      else if (!this.#policy.dropsLate) wasted++
    }
    return { good, wasted }
  }

  /** Takes the next in line and tells when it was sent. */
  #next(newestFirst: boolean): number {
    if (!newestFirst) return this.#sent[this.#head++] as number
    this.#isRetry.pop()
    return this.#sent.pop() as number
  }

  #giveUp(tick: number): void {
    for (let i = this.#head; i < this.#sent.length; i++) {
      if (tick - (this.#sent[i] as number) === this.#plan.patience - 1) this.#retry(this.#isRetry[i] as boolean)
    }
  }
}

/** Knuth's method: how many uniform numbers can be multiplied before the product falls to e^−mean. */
function poisson(generator: Mt19937, mean: number): number {
  const limit = Math.exp(-mean)
  let product = generator.next()
  let count = 0
  for (; product > limit; count++) product *= generator.next()
  return count
}
