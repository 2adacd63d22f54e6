// The quotas there are: one line each.

import type { Quota } from '../core/quota.ts'
import type { Runtime } from '../core/runtime.ts'
import { type TokenBucketOptions, TokenBucketQuota } from './token-bucket.ts'

/** Name → how to make one. The conformance suite runs over all of them. */
export const quotas = {
  'token-bucket': (options: TokenBucketOptions, runtime: Runtime): Quota => new TokenBucketQuota(options, runtime),
} as const
