// One piece of offered work, as the door sees it: plain data that the caller owns and the door never changes.

import { type Criticality, criticalities } from './criticality.ts'
import { SpillwayError } from './errors.ts'
import { Problems, show } from './problems.ts'

/** One piece of offered work. Every field may be left out. */
export interface Arrival {
  /** Whose work it is: tenant, API key, address. Quotas count by it. Without one, quotas are skipped and that is counted. */
  readonly key?: string | undefined
  /** Kind of work whose service times belong together, such as a route template. At most 64 are told apart. */
  readonly class?: string | undefined
  /** How much it costs to refuse. Default `sheddable-plus`. */
  readonly criticality?: Criticality | undefined
  /** Time left, in ms, at the moment of the offer. 0 or less is expired. Default: the door's `deadlineMs`. */
  readonly deadlineMs?: number | undefined
  /** How many units of the limit it takes, more than 0. Default 1. */
  readonly cost?: number | undefined
  /** 1 for the first attempt of a logical request, 2 and more for retries. Default 1. */
  readonly attempt?: number | undefined
}

/** An arrival with nothing said about it. */
export const plainArrival: Arrival = Object.freeze({})

const isText = (value: unknown): boolean => value === undefined || typeof value === 'string'
const isCost = (value: unknown): boolean =>
  value === undefined || (typeof value === 'number' && value > 0 && value < Infinity)
const isDeadline = (value: unknown): boolean => value === undefined || Number.isFinite(value)
const isAttempt = (value: unknown): boolean => value === undefined || (typeof value === 'number' && value >= 1)
const isCriticality = (value: unknown): boolean => value === undefined || criticalities.includes(value as Criticality)

const rules: readonly [keyof Arrival, string, (value: unknown) => boolean][] = [
  ['key', 'a string', isText],
  ['class', 'a string', isText],
  ['cost', 'a number of permits above 0', isCost],
  ['deadlineMs', 'a finite number of ms', isDeadline],
  ['attempt', 'a number from 1 up', isAttempt],
  ['criticality', `one of ${criticalities.map(show).join(', ')}`, isCriticality],
]

/** Throws SPILLWAY_ARRIVAL_INVALID naming every field that is wrong. Called before anything is counted or taken. */
export function checkArrival(arrival: Arrival): void {
  if (arrival === plainArrival) return
  const { key, class: className, cost, deadlineMs, attempt, criticality } = arrival
  const sound =
    isText(key) &&
    isText(className) &&
    isCost(cost) &&
    isDeadline(deadlineMs) &&
    isAttempt(attempt) &&
    isCriticality(criticality)
  if (sound) return
  const problems = new Problems()
  for (const [name, right, accepts] of rules) if (!accepts(arrival[name])) problems.add(name, right, arrival[name])
  throw new SpillwayError('SPILLWAY_ARRIVAL_INVALID', `arrival refused: ${problems}`)
}
