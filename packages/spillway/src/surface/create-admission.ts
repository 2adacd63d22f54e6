// Puts a door together from plain options. The only place that knows which parts are the default ones.

import { Door } from '../core/admission-async.ts'
import { type Limiter, limitMax } from '../core/limiter.ts'
import type { Observer } from '../core/observer.ts'
import { custom, type Given, hasMethods, integer, number, part, resolveOptions } from '../core/options.ts'
import type { Quota } from '../core/quota.ts'
import type { Runtime } from '../core/runtime.ts'
import { disciplines } from '../disciplines/index.ts'
import { limiters } from '../limiters/index.ts'
import { nodeRuntime } from '../runtime/node.ts'

// A day: longer than any answer is waited for, short enough that no sum of times loses its fractions.
const DAY_MS = 86_400_000

const limitRight = `a whole number from 1 to ${limitMax}, or a limiter with limit, sample(), onChange() and setLimit()`

export const admissionOptions = {
  /** How many may run at once, in units of cost; or a limiter that finds out. Required until an adaptive default exists. */
  limit: custom<number | Limiter, undefined>(limitRight, isLimit, {
    unit: 'permits',
    default: undefined,
    required: true,
    about: 'How many may run at once, in units of cost, or a limiter of your own. Required.',
    tooLow: 'Capacity lies idle while work is refused.',
    tooHigh: 'The queue moves behind the door, where nobody sees it.',
  }),
  /** Longest wait in the queue, ms. Default 200. 0 means that nothing waits. */
  waitMaxMs: number(0, DAY_MS, {
    unit: 'ms',
    default: 200,
    about: 'Longest wait in the queue. Who is expected to wait longer is refused on arrival.',
    tooLow: 'Bursts that would have drained are refused.',
    tooHigh: 'Every success comes late while the queue stands.',
  }),
  /** Most that may wait at once. Default 1000. A bound on memory: `waitMaxMs` bounds the queue long before. */
  queueDepthMax: integer(0, 1_000_000, {
    unit: 'arrivals',
    default: 1000,
    about: 'Most that may wait at once. A bound on memory: the longest wait bounds the queue long before.',
    tooLow: 'Bursts are refused although they would drain in time.',
    tooHigh: 'Memory, until the first service times are known.',
  }),
  /** Time left for work that names no deadline, ms. Default 1000. */
  deadlineMs: number(1, DAY_MS, {
    unit: 'ms',
    default: 1000,
    about: 'Time left for work that names no deadline.',
    tooLow: 'Work is refused whose caller would have waited.',
    tooHigh: 'Work is done for callers who have given up.',
  }),
  /** Age at which a permit that nobody settles is taken back, ms. Default 300 000 (five minutes). */
  permitAgeMaxMs: number(1, 30 * DAY_MS, {
    unit: 'ms',
    default: 300_000,
    about: 'Age at which the watchdog takes back a permit that nobody has settled.',
    tooLow: 'New work starts beside slow work that still runs.',
    tooHigh: 'Slots lost to a dropped callback stay lost for as long.',
  }),
  /** Classes of work whose service times are told apart. Default 64; later ones share one estimate. */
  classesMax: integer(0, 10_000, {
    unit: 'classes',
    default: 64,
    about: 'Classes of work whose service times are told apart. Later ones share one estimate.',
    tooLow: 'Fast and slow routes share an estimate.',
    tooHigh: 'Memory, 2 kB a class.',
  }),
  /** Allowance per key and span, asked first. Default none. See `createQuota`. */
  quota: part<Quota>(['take', 'refund'], {
    default: undefined,
    about: 'Allowance per key and span, asked before anything else.',
  }),
  /** Receives every transition. Default none. */
  observer: custom<Observer, undefined>('an object with methods of Observer', isObserver, {
    default: undefined,
    about: 'Receives every transition of the door.',
  }),
}

/** Options of {@link createAdmission}. */
export type AdmissionOptions = Given<typeof admissionOptions>

/**
 * Makes a door: at most `limit` units of work run at once, the rest waits a bounded time or is refused with its reason.
 * Throws SPILLWAY_OPTIONS_INVALID, naming every wrong option at once.
 */
export function createAdmission(options: AdmissionOptions, runtime: Runtime = nodeRuntime): Door {
  const resolved = resolveOptions('createAdmission', admissionOptions, options, (given, problems) => {
    if (given.waitMaxMs > given.permitAgeMaxMs)
      problems.add('waitMaxMs', `<= permitAgeMaxMs (${given.permitAgeMaxMs})`, given.waitMaxMs)
  })
  const limit = resolved.limit as number | Limiter
  const limiter = typeof limit === 'number' ? limiters.fixed(limit) : limit
  return new Door({ ...resolved, limiter, discipline: disciplines.fifo(resolved.queueDepthMax) }, runtime)
}

function isLimit(value: unknown): value is number | Limiter {
  if (typeof value === 'number') return Number.isInteger(value) && value >= 1 && value <= limitMax
  return hasMethods(value, ['sample', 'onChange', 'setLimit']) && typeof (value as Limiter).limit === 'number'
}

function isObserver(value: unknown): value is Observer {
  const names = ['admitted', 'enqueued', 'rejected', 'left', 'ended', 'limitChanged']
  if (typeof value !== 'object' || value === null) return false
  return names.every((name) => ['undefined', 'function'].includes(typeof (value as Record<string, unknown>)[name]))
}
