// A limit that only its owner changes. The right choice when the scarce thing has a known size: a database pool of 5
// serves 5 at a time, and letting in a sixth only moves the queue where nobody sees it.

import { SpillwayError } from '../core/errors.ts'
import { type Limiter, limitMax } from '../core/limiter.ts'
import { Problems } from '../core/problems.ts'

export class FixedLimiter implements Limiter {
  #limit: number
  #listener: () => void = () => {}

  /** `limit`: permits, a whole number from 1 to 1 000 000; throws SPILLWAY_OPTIONS_INVALID otherwise. */
  constructor(limit: number) {
    this.#limit = checkedLimit(limit)
  }

  get limit(): number {
    return this.#limit
  }

  sample(): void {}

  onChange(listener: () => void): void {
    this.#listener = listener
  }

  setLimit(limit: number): void {
    const previous = this.#limit
    this.#limit = checkedLimit(limit)
    if (limit !== previous) this.#listener()
  }
}

function checkedLimit(limit: number): number {
  if (Number.isInteger(limit) && limit >= 1 && limit <= limitMax) return limit
  const problems = new Problems()
  problems.add('limit', `a whole number from 1 to ${limitMax}`, limit)
  throw new SpillwayError('SPILLWAY_OPTIONS_INVALID', problems.toString())
}
