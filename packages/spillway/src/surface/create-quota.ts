// A quota from one readable line: `createQuota({ limit: '100/min' })`.

import { custom, type Given, integer, resolveOptions } from '../core/options.ts'
import type { Quota } from '../core/quota.ts'
import type { Runtime } from '../core/runtime.ts'
import { quotas } from '../quotas/index.ts'
import { nodeRuntime } from '../runtime/node.ts'

const SECOND_MS = 1000
const unitsMs: Record<string, number> = {
  ms: 1,
  s: SECOND_MS,
  min: 60 * SECOND_MS,
  h: 3600 * SECOND_MS,
  day: 86_400 * SECOND_MS,
}
const COUNT_MAX = 1_000_000_000
const rateRight =
  'a rate such as "100/min": a whole number, "/", and ms, s, min, h or day, perhaps with a number ("5/10s")'

export const quotaOptions = {
  /** Tokens per span, such as `'100/min'`, `'10/s'` or `'3/90day'`. Required. */
  limit: custom<string, undefined>(rateRight, (value): value is string => parseRate(value) !== undefined, {
    unit: 'tokens/span',
    default: undefined,
    required: true,
    about: 'Tokens per span: a number, "/", and ms, s, min, h or day, perhaps with a number. Required.',
    tooLow: 'Callers within their plan are refused.',
    tooHigh: 'One caller can use what others need.',
  }),
  /** Tokens a full bucket holds, used at one instant by a caller who was quiet. Default: the number in `limit`. */
  burst: integer<number | undefined>(1, COUNT_MAX, {
    unit: 'tokens',
    default: undefined,
    about: 'Tokens a full bucket holds, usable at one instant. Default: the number in limit.',
    tooLow: 'Ordinary bursts are refused.',
    tooHigh: 'A quiet caller may use that much at once.',
  }),
  /** Keys remembered at most. Default 100 000, about 100 bytes each. Blocked keys are forgotten last. */
  keysMax: integer(1, 10_000_000, {
    unit: 'keys',
    default: 100_000,
    about: 'Keys remembered at most. Blocked ones are forgotten last, and forgetting one is counted.',
    tooLow: 'Keys that are forgotten while blocked start fresh.',
    tooHigh: 'Memory, about 100 bytes a key.',
  }),
}

/** Options of {@link createQuota}. */
export type QuotaOptions = Given<typeof quotaOptions>

/** Makes a token bucket per key in this process (GCRA). Throws SPILLWAY_OPTIONS_INVALID, naming every wrong option. */
export function createQuota(options: QuotaOptions, runtime: Runtime = nodeRuntime): Quota {
  const resolved = resolveOptions('createQuota', quotaOptions, options)
  const { count, spanMs } = parseRate(resolved.limit) as Rate
  return quotas['token-bucket']({ count, spanMs, burst: resolved.burst ?? count, keysMax: resolved.keysMax }, runtime)
}

interface Rate {
  readonly count: number
  readonly spanMs: number
}

function parseRate(value: unknown): Rate | undefined {
  if (typeof value !== 'string') return undefined
  const match = /^(\d{1,10})\/(\d{0,9})(ms|s|min|h|day)$/.exec(value.replaceAll(' ', ''))
  if (match === null) return undefined
  const count = Number(match[1])
  const spanMs = (match[2] === '' ? 1 : Number(match[2])) * (unitsMs[match[3] as string] as number)
  return count >= 1 && count <= COUNT_MAX && spanMs >= 1 ? { count, spanMs } : undefined
}
