// Counts of requests of one group, phase by phase, and how long the good ones took.

import { LogLinearHistogram } from '../structures/log-linear-histogram.ts'
import type { RequestEnding } from './request.ts'
import type { GroupAccount } from './scenario.ts'

export class GroupBook {
  readonly #counts: Record<RequestEnding | 'offered', Uint32Array>
  readonly #pending: Uint32Array
  // Made when needed: most groups are looked at for their counts.
  readonly #good: (LogLinearHistogram | undefined)[] | undefined

  constructor(phases: number, keepsLatencies: boolean) {
    const zeros = (): Uint32Array => new Uint32Array(phases)
    this.#counts = { offered: zeros(), good: zeros(), late: zeros(), rejected: zeros(), failed: zeros() }
    this.#pending = zeros()
    this.#good = keepsLatencies ? new Array<LogLinearHistogram | undefined>(phases).fill(undefined) : undefined
  }

  offered(phase: number): void {
    increment(this.#counts.offered, phase)
  }

  ended(phase: number, ending: RequestEnding, latencyMs: number): void {
    increment(this.#counts[ending], phase)
    if (ending !== 'good' || this.#good === undefined) return
    const histogram = this.#good[phase] ?? new LogLinearHistogram()
    this.#good[phase] = histogram
    histogram.record(latencyMs)
  }

  /** Requests that have not ended count as late from now on. */
  endAll(): void {
    const { offered, good, late, rejected, failed } = this.#counts
    offered.forEach((count, phase) => {
      const ended =
        (good[phase] as number) + (late[phase] as number) + (rejected[phase] as number) + (failed[phase] as number)
      this.#pending[phase] = count - ended
      late[phase] = (late[phase] as number) + count - ended
    })
  }

  /** How many of a phase `endAll` found. */
  pendingAtEnd(phase: number): number {
    return this.#pending[phase] as number
  }

  /** The account of one phase. */
  of(phase: number, name: string): GroupAccount {
    const count = (what: RequestEnding | 'offered'): number => this.#counts[what][phase] as number
    return {
      phase: name,
      offered: count('offered'),
      good: count('good'),
      late: count('late'),
      rejected: count('rejected'),
      failed: count('failed'),
      p50Ms: this.#good?.[phase]?.quantile(0.5),
      p99Ms: this.#good?.[phase]?.quantile(0.99),
    }
  }
}

function increment(counts: Uint32Array, index: number): void {
  counts[index] = (counts[index] as number) + 1
}
