// A token bucket per key, in this process, kept as GCRA: instead of tokens and the time of the last refill, one number,
// the theoretical arrival time (TAT) at which the bucket will be full again. With T = span / count:
//
//   new TAT = max(now, TAT) + cost × T          allowed iff new TAT − now ≤ burst × T
//
// (ITU-T I.371 annex A.) A refusal changes nothing, fractions are never thrown away, and a key whose TAT has passed is
// the same as one never seen, so forgetting it is free. It bounds a key to burst + rate × t in any span t; it is not a
// sliding window. Time is monotonic: steps of the wall clock neither lock a caller out nor refill its bucket.

import type { Quota, QuotaAnswer } from '../core/quota.ts'
import type { Runtime } from '../core/runtime.ts'
import { fnv1a } from '../structures/prng.ts'

export interface TokenBucketOptions {
  /** Tokens per `spanMs`. */
  readonly count: number
  readonly spanMs: number
  /** Tokens a full bucket holds: what a quiet caller may use at one instant. */
  readonly burst: number
  /** Keys remembered at most. */
  readonly keysMax: number
}

// Keys looked at when room is needed for a new one: bounds the cost of a call (case C72). Doubled, the choice of whom to
// forget gets a little better and the worst call twice as long.
const SWEEP = 8
// Longer keys are hashed: a stranger must not choose how much memory an entry takes (case C75).
const KEY_LENGTH_MAX = 128
const allowed: QuotaAnswer = Object.freeze({ allowed: true, retryAfterMs: undefined })
const never: QuotaAnswer = Object.freeze({ allowed: false, retryAfterMs: undefined })

export class TokenBucketQuota implements Quota {
  readonly #msPerToken: number
  readonly #burstMs: number
  // The rounding error of a sum of fractions must not cost a whole token (case C63): a hundredth of one, at most a µs.
  readonly #toleranceMs: number
  readonly #keysMax: number
  readonly #runtime: Runtime
  // Key → TAT, monotonic ms. At most #keysMax entries.
  readonly #fullAt = new Map<string, number>()
  // Where the sweep has got to. It goes on from there: starting over would walk past everything deleted since the map was
  // last rebuilt, ten thousands of entries a call when there are many keys.
  #sweep: MapIterator<[string, number]> | undefined
  #evicted = 0

  constructor(options: TokenBucketOptions, runtime: Runtime) {
    this.#msPerToken = options.spanMs / options.count
    this.#burstMs = this.#msPerToken * options.burst
    this.#toleranceMs = Math.min(this.#msPerToken / 100, 1e-3)
    this.#keysMax = options.keysMax
    this.#runtime = runtime
  }

  /** Keys that were forgotten although they had not refilled: each of them got a fresh bucket too early. */
  get evicted(): number {
    return this.#evicted
  }

  /** Keys remembered now. */
  get size(): number {
    return this.#fullAt.size
  }

  take(rawKey: string, cost: number): QuotaAnswer {
    const key = boundedKey(rawKey)
    const now = this.#runtime.now()
    const costMs = cost * this.#msPerToken
    // What can never fit gets no time at which to try again (case C65).
    if (costMs > this.#burstMs * (1 + Number.EPSILON)) return never
    const known = this.#fullAt.get(key)
    const next = Math.max(now, known ?? now) + costMs
    const waitMs = next - now - this.#burstMs
    if (waitMs > this.#toleranceMs) return { allowed: false, retryAfterMs: waitMs }
    if (known === undefined && this.#fullAt.size >= this.#keysMax) this.#makeRoom(now)
    this.#fullAt.set(key, next)
    return allowed
  }

  refund(rawKey: string, cost: number): void {
    const key = boundedKey(rawKey)
    const known = this.#fullAt.get(key)
    if (known !== undefined) this.#fullAt.set(key, known - cost * this.#msPerToken)
  }

  // Looks at the keys that were looked at longest ago. Those that have refilled go free of charge; if none has, the one
  // nearest to it goes, so that a blocked key outlives a quiet one.
  #makeRoom(now: number): void {
    let nearest: string | undefined
    let nearestFullAt = Infinity
    for (let looked = 0; looked < SWEEP; looked++) {
      const [key, fullAt] = this.#nextKey()
      if (fullAt <= now) this.#fullAt.delete(key)
      else if (fullAt < nearestFullAt) {
        nearest = key
        nearestFullAt = fullAt
      }
      if (this.#fullAt.size === 0) return
    }
    if (this.#fullAt.size < this.#keysMax || nearest === undefined) return
    this.#fullAt.delete(nearest)
    this.#evicted++
  }

  // The next key of the sweep, round and round. There is at least one.
  #nextKey(): [string, number] {
    let next = this.#sweep?.next()
    if (next === undefined || next.done) {
      this.#sweep = this.#fullAt.entries()
      next = this.#sweep.next()
    }
    return next.value as [string, number]
  }
}

function boundedKey(key: string): string {
  if (key.length <= KEY_LENGTH_MAX) return key
  return `#${fnv1a(key, 0x811c9dc5)}.${fnv1a(key, 0x1b873593)}.${key.length}`
}
