// The policies that come with the simulator, one row each.

import { SpillwayError } from '../core/errors.ts'
import { createAdmission } from '../surface/create-admission.ts'
import { DoorEntrance } from './door-entrance.ts'
import { PlainQueue } from './plain-queue.ts'
import type { Policy } from './policy.ts'
import type { ClientPlan } from './scenario.ts'

// What a good client does, and what ours will ship with: one further attempt for ten first ones.
const budgeted = (plan: ClientPlan): ClientPlan => ({ retryBudget: { ratio: 0.1 }, ...plan })

const unprotected: Policy = {
  name: 'unprotected',
  about: 'Everything is accepted and worked off in order, for callers who have gone as well.',
}

const reference: Policy = {
  name: 'reference',
  about:
    'Limit = slots, at most 40 wait, at most 100 ms; refused when less than a service time is left; retries budgeted.',
  entrance: ({ limit, meanMs }, runtime) =>
    new PlainQueue({ limit, depthMax: 40, waitMaxMs: 100, leastLeftMs: meanMs, skipsGone: true }, runtime),
  client: budgeted,
  health: (plan) => ({ ...plan, sharesQueue: false }),
}

const shipped: Policy = {
  name: 'default',
  about: 'The shipped door with a limit of the plant’s slots and everything else as it comes; retries budgeted.',
  entrance: ({ limit }, runtime) => new DoorEntrance(createAdmission({ limit }, runtime)),
  client: budgeted,
  health: (plan) => ({ ...plan, sharesQueue: false }),
  leaving: 'stops',
  writeHoldMaxMs: 200,
}

const fifo: Policy = {
  name: 'fifo',
  about: 'First in, first out, no limit: the first row of the eight-policy table.',
  entrance: ({ limit }, runtime) => new PlainQueue({ limit }, runtime),
}

const fifoSkipGone: Policy = {
  name: 'fifo-skip-gone',
  about: 'First in, first out, skipping callers who have hung up.',
  entrance: ({ limit }, runtime) => new PlainQueue({ limit, skipsGone: true }, runtime),
}

const fifoDeadline: Policy = {
  name: 'fifo-deadline',
  about: 'First in, first out, refusing what cannot finish in time when its turn comes.',
  entrance: ({ limit, meanMs }, runtime) => new PlainQueue({ limit, skipsGone: true, leastLeftMs: meanMs }, runtime),
}

const bounded20: Policy = {
  name: 'bounded-20',
  about: 'First in, first out, at most twenty waiting; who comes when it is full is refused.',
  entrance: ({ limit }, runtime) => new PlainQueue({ limit, depthMax: 20 }, runtime),
}

/** Name → policy. */
export const policies = {
  unprotected,
  reference,
  default: shipped,
  fifo,
  'fifo-skip-gone': fifoSkipGone,
  'fifo-deadline': fifoDeadline,
  'bounded-20': bounded20,
} as const satisfies Readonly<Record<string, Policy>>

export type PolicyName = keyof typeof policies

/** The policy of a name. Throws SPILLWAY_OPTIONS_INVALID, naming those there are. */
export function policyNamed(name: string): Policy {
  const known: Readonly<Record<string, Policy>> = policies
  const policy = Object.hasOwn(known, name) ? known[name] : undefined
  if (policy !== undefined) return policy
  const names = Object.keys(policies).join(', ')
  throw new SpillwayError('SPILLWAY_OPTIONS_INVALID', `policy must be one of ${names}, got ${JSON.stringify(name)}`)
}
