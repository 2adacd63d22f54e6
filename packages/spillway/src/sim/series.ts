// The record in the making, interval by interval. Counts go to the interval in which the request was meant to start;
// attempts and refusals to the one in which they happen. Typed arrays, because every request comes by here several times.

import { reasons } from '../core/decision.ts'
import type { Interval } from '../verdict/run-record.ts'
import type { Answer } from './contract.ts'
import type { RequestEnding } from './request.ts'

export class Series {
  readonly intervalMs: number
  readonly length: number
  readonly #offered: Uint32Array
  readonly #attempts: Uint32Array
  readonly #endings: Readonly<Record<RequestEnding, Uint32Array>>
  readonly #refused: ReadonlyMap<string, Uint32Array>
  readonly #inFlight: Float64Array
  readonly #limit: Float64Array
  readonly #queue: Uint32Array
  // Latencies of good requests and the intervals they belong to, when pictures are wanted.
  readonly #latencies: { readonly interval: number; readonly ms: number }[] | undefined

  constructor(lengthMs: number, intervalMs: number, forPictures: boolean) {
    const length = Math.max(1, Math.ceil(lengthMs / intervalMs))
    const zeros = (): Uint32Array => new Uint32Array(length)
    this.intervalMs = intervalMs
    this.length = length
    this.#offered = zeros()
    this.#attempts = zeros()
    this.#endings = { good: zeros(), late: zeros(), rejected: zeros(), failed: zeros() }
    this.#refused = new Map(reasons.map((reason) => [reason, zeros()]))
    this.#inFlight = new Float64Array(length)
    this.#limit = new Float64Array(length)
    this.#queue = zeros()
    this.#latencies = forPictures ? [] : undefined
  }

  offered(atMs: number): void {
    this.#count(this.#offered, atMs)
  }

  attempted(atMs: number): void {
    this.#count(this.#attempts, atMs)
  }

  refused(reason: Answer, atMs: number): void {
    const counts = this.#refused.get(reason)
    if (counts !== undefined) this.#count(counts, atMs)
  }

  ended(ending: RequestEnding, intendedAt: number, latencyMs: number): void {
    this.#count(this.#endings[ending], intendedAt)
    if (ending === 'good') this.#latencies?.push({ interval: this.#at(intendedAt), ms: latencyMs })
  }

  /** What an interval looked like, at its end. `limit` is Infinity where there is none. */
  sample(interval: number, inFlight: number, limit: number, queue: number): void {
    if (interval >= this.length) return
    this.#inFlight[interval] = inFlight
    this.#limit[interval] = limit
    this.#queue[interval] = queue
  }

  /** Requests that have not ended count as late from now on. */
  endAll(): void {
    const { good, late, rejected, failed } = this.#endings
    for (let i = 0; i < this.length; i++) {
      late[i] = at(this.#offered, i) - at(good, i) - at(rejected, i) - at(failed, i)
    }
  }

  /** Everything until then, as plain data. */
  intervals(): readonly Interval[] {
    const latencies = this.#byInterval()
    return Array.from({ length: this.length }, (_, i) => {
      const limit = at(this.#limit, i)
      const sorted = latencies?.[i]?.sort((a, b) => a - b)
      return {
        fromMs: i * this.intervalMs,
        offered: at(this.#offered, i),
        attempts: at(this.#attempts, i),
        good: at(this.#endings.good, i),
        late: at(this.#endings.late, i),
        rejected: at(this.#endings.rejected, i),
        failed: at(this.#endings.failed, i),
        unsent: 0,
        rejectedByReason: this.#byReason(i),
        inFlight: at(this.#inFlight, i),
        limit: limit === Infinity ? undefined : limit,
        queue: at(this.#queue, i),
        p50Ms: sorted?.[Math.ceil(sorted.length * 0.5) - 1],
        p99Ms: sorted?.[Math.ceil(sorted.length * 0.99) - 1],
      }
    })
  }

  #byReason(i: number): Readonly<Record<string, number>> {
    const counts: Record<string, number> = {}
    for (const [reason, refused] of this.#refused) {
      const count = at(refused, i)
      if (count > 0) counts[reason] = count
    }
    return counts
  }

  #byInterval(): readonly number[][] | undefined {
    if (this.#latencies === undefined) return undefined
    const byInterval = Array.from({ length: this.length }, (): number[] => [])
    for (const { interval, ms } of this.#latencies) byInterval[interval]?.push(ms)
    return byInterval
  }

  #at(atMs: number): number {
    return Math.floor(atMs / this.intervalMs)
  }

  // What happens after the plan has ended belongs to no interval.
  #count(counts: Uint32Array, atMs: number): void {
    const interval = this.#at(atMs)
    if (interval < this.length) counts[interval] = (counts[interval] as number) + 1
  }
}

function at(counts: Uint32Array | Float64Array, index: number): number {
  return counts[index] as number
}
