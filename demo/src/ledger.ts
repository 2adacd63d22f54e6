// What became of every caller of one service: one slot for each planned arrival, in the order of intended starts. All
// that the demo reports about callers is counted from here, so nothing can be counted twice or forgotten.

import type { Arrivals } from './arrivals.ts'
import type { Settled } from './messages.ts'

/**
 * How a caller's attempt ends. `good` was answered in time, `late` after the caller's deadline, `rejected` was told no,
 * `timeout` went unanswered until the caller left, `failed` is any other answer or a broken connection, and `unsent` was
 * never sent because the generator itself fell a whole timeout behind.
 */
export const outcomes = ['pending', 'good', 'late', 'rejected', 'timeout', 'failed', 'unsent'] as const
export type Outcome = (typeof outcomes)[number]

/** Reasons a refusal may give. The last two are for refusals that give none, or one that is not in the closed list. */
export const reasons = ['quota', 'dependency', 'deadline', 'shed', 'capacity', 'closing', 'none', 'other'] as const
export type Reason = (typeof reasons)[number]

export function outcomeCode(outcome: Outcome): number {
  return outcomes.indexOf(outcome)
}

export function reasonCode(header: string | undefined): number {
  if (header === undefined) return reasons.indexOf('none')
  const code = reasons.indexOf(header as Reason)
  return code === -1 ? reasons.indexOf('other') : code
}

export class Ledger {
  readonly arrivals: Arrivals
  readonly #outcome: Uint8Array
  readonly #reason: Uint8Array
  /** From the intended start to the end of the answer, in ms; of a timeout, the time the caller stayed. */
  readonly latencyMs: Float64Array

  constructor(arrivals: Arrivals) {
    this.arrivals = arrivals
    this.#outcome = new Uint8Array(arrivals.intendedMs.length)
    this.#reason = new Uint8Array(arrivals.intendedMs.length)
    this.latencyMs = new Float64Array(arrivals.intendedMs.length)
  }

  get length(): number {
    return this.#outcome.length
  }

  outcome(index: number): Outcome {
    return outcomes[this.#outcome[index]!]!
  }

  reason(index: number): Reason {
    return reasons[this.#reason[index]!]!
  }

  settle(index: number, outcome: Outcome, latencyMs: number, reason: Reason = 'none'): void {
    if (this.#outcome[index] !== 0) throw new Error(`caller ${index} was settled twice`)
    this.#outcome[index] = outcomeCode(outcome)
    this.#reason[index] = reasons.indexOf(reason)
    this.latencyMs[index] = latencyMs
  }

  enter(settled: Settled): void {
    settled.index.forEach((index, i) => {
      this.settle(index, outcomes[settled.outcome[i]!]!, settled.latencyMs[i]!, reasons[settled.reason[i]!]!)
    })
  }

  /** The callers that meant to start in [fromMs, toMs), as a range of indexes. */
  range(fromMs: number, toMs: number): { first: number; end: number } {
    return {
      first: firstAtOrAfter(this.arrivals.intendedMs, fromMs),
      end: firstAtOrAfter(this.arrivals.intendedMs, toMs),
    }
  }

  tally(first = 0, end = this.length): Record<Outcome, number> {
    const counts = { pending: 0, good: 0, late: 0, rejected: 0, timeout: 0, failed: 0, unsent: 0 }
    for (let i = first; i < end; i++) counts[this.outcome(i)]++
    return counts
  }

  /** Latencies of the callers in [first, end) that ended this way, ascending. */
  latencies(outcome: Outcome, first = 0, end = this.length): Float64Array {
    const code = outcomeCode(outcome)
    const found: number[] = []
    for (let i = first; i < end; i++) if (this.#outcome[i] === code) found.push(this.latencyMs[i]!)
    return Float64Array.from(found).sort()
  }
}

/** The nearest-rank percentile of ascending values: exact, and null where there is nothing to rank. */
export function percentile(ascending: Float64Array, percent: number): number | null {
  if (ascending.length === 0) return null
  return ascending[Math.max(0, Math.ceil((percent / 100) * ascending.length) - 1)]!
}

function firstAtOrAfter(ascending: Float64Array, value: number): number {
  let low = 0
  let high = ascending.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (ascending[middle]! < value) low = middle + 1
    else high = middle
  }
  return low
}
