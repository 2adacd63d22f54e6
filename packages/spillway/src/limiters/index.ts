// The limiters there are: one line each.

import type { Limiter } from '../core/limiter.ts'
import { FixedLimiter } from './fixed.ts'

/** Name → how to make one that starts at `limit`. The conformance suite runs over all of them. */
export const limiters = {
  fixed: (limit: number): Limiter => new FixedLimiter(limit),
} as const
