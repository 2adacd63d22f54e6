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

/** Throws SPILLWAY_ARRIVAL_INVALID naming every field that is wrong. Called before anything is counted or taken. */
export function checkArrival(arrival: Arrival): void {
  const { cost, deadlineMs, attempt, criticality } = arrival
  if (
    (cost === undefined || (cost > 0 && cost < Infinity)) &&
    (deadlineMs === undefined || (deadlineMs < Infinity && deadlineMs > -Infinity)) &&
    (attempt === undefined || attempt >= 1) &&
    (criticality === undefined || criticalities.includes(criticality))
  )
    return
  const problems = new Problems()
  if (cost !== undefined && !(cost > 0 && cost < Infinity)) problems.add('cost', 'a number of permits above 0', cost)
  if (deadlineMs !== undefined && !Number.isFinite(deadlineMs))
    problems.add('deadlineMs', 'a finite number of ms', deadlineMs)
  if (attempt !== undefined && !(attempt >= 1)) problems.add('attempt', 'a number from 1 up', attempt)
  if (criticality !== undefined && !criticalities.includes(criticality))
    problems.add('criticality', `one of ${criticalities.map(show).join(', ')}`, criticality)
  throw new SpillwayError('SPILLWAY_ARRIVAL_INVALID', `arrival refused: ${problems}`)
}
