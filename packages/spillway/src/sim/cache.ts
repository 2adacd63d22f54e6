// Answers remembered by key in front of a call: the load of the store behind it is the misses only, until the day the cache
// is empty. Filled on success alone, since a failure remembered would be an outage prolonged.

import type { Answer } from './contract.ts'
import type { CachePlan } from './scenario.ts'
import type { Join } from './step.ts'

export class AnswerCache {
  readonly #plan: CachePlan
  readonly #now: () => number
  // Key → until when its answer is good. In order of last use, so that the first is the one to go.
  readonly #known = new Map<number, number>()
  // Key → those who wait for the call that is out for it, the one who made it first. Only where callers share.
  readonly #asking = new Map<number, Join[]>()

  constructor(plan: CachePlan, now: () => number) {
    this.#plan = plan
    this.#now = now
    for (let key = 0; key < (plan.warm ?? 0); key++) this.#known.set(key, (plan.ttlMs ?? Infinity) + now())
  }

  has(key: number): boolean {
    const until = this.#known.get(key)
    if (until === undefined) return false
    this.#known.delete(key)
    if (until <= this.#now()) return false
    this.#known.set(key, until)
    return true
  }

  /** True when somebody asks for this key already and `join` will be told; else it must ask itself. */
  join(key: number, join: Join): boolean {
    if (this.#plan.coalesces !== true) return false
    const asking = this.#asking.get(key)
    if (asking === undefined) this.#asking.set(key, [join])
    else asking.push(join)
    return asking !== undefined
  }

  /** The call that `join` made for this key has ended. */
  answered(key: number, join: Join, answer: Answer): void {
    if (answer === 'ok') this.#remember(key)
    this.#release(key, join, answer)
  }

  /** Whoever made or shared the call for this key has gone. */
  abandoned(key: number, join: Join): void {
    const asking = this.#asking.get(key)
    if (asking === undefined) return
    if (asking[0] === join) this.#release(key, join, 'failed')
    else {
      const place = asking.indexOf(join)
      if (place > 0) asking.splice(place, 1)
    }
  }

  flush(): void {
    this.#known.clear()
  }

  #remember(key: number): void {
    this.#known.delete(key)
    this.#known.set(key, this.#now() + (this.#plan.ttlMs ?? Infinity))
    const { entriesMax } = this.#plan
    if (entriesMax === undefined || this.#known.size <= entriesMax) return
    const oldest = this.#known.keys().next().value
    if (oldest !== undefined) this.#known.delete(oldest)
  }

  #release(key: number, join: Join, answer: Answer): void {
    const asking = this.#asking.get(key)
    if (asking?.[0] !== join) return
    this.#asking.delete(key)
    for (const other of asking.slice(1)) other.shared(answer)
  }
}
