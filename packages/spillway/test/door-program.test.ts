// Random programs of everything that can happen to a door. fast-check shrinks a program that fails and prints it together
// with a seed and a path; SPILLWAY_SEED=<seed> runs that seed again, and SPILLWAY_PROGRAMS=<n> runs more programs.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { criticalities } from '../src/core/criticality.ts'
import { type Offer, Program, type Reaction, type Setting, type Step } from './door-program.ts'

const { SPILLWAY_SEED, SPILLWAY_PROGRAMS } = process.env
const numRuns = Number(SPILLWAY_PROGRAMS ?? 1500)
const seed = SPILLWAY_SEED === undefined ? undefined : Number(SPILLWAY_SEED)
const parameters = { numRuns, ...(seed === undefined ? {} : { seed }) }

const arrival = fc.record(
  {
    key: fc.constantFrom('a', 'b', ''),
    class: fc.constantFrom('x', 'y'),
    criticality: fc.constantFrom(...criticalities),
    // Fractions whose sums are not exact, more than fits, and next to nothing.
    cost: fc.constantFrom(1, 1, 2, 0.1, 0.7, 1.1, 2.5, 7.3, 1e-12),
    deadlineMs: fc.constantFrom(-5, 0, 0.5, 1, 1.5, 5, 20, 60, 150, 1000),
    attempt: fc.integer({ min: 1, max: 3 }),
  },
  { requiredKeys: [] },
)

const onAdmitted = fc.constantFrom<Reaction>('keep', 'keep', 'settle', 'cancel', 'throw', 'offer', 'raise', 'other')
const onRejected = fc.constantFrom<Reaction>('keep', 'keep', 'keep', 'throw', 'offer', 'lower', 'other')
const offer: fc.Arbitrary<Offer> = fc.record({
  act: fc.constant('offer' as const),
  arrival,
  waits: fc.constantFrom(true, true, true, false),
  onAdmitted,
  onRejected,
})
const how = fc.constantFrom(
  'success' as const,
  'success' as const,
  'ignored' as const,
  'dropped' as const,
  'cancel' as const,
)
const index = fc.nat(30)

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 12, arbitrary: offer },
  { weight: 6, arbitrary: fc.record({ act: fc.constant('end' as const), index, how }) },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('end again' as const), index }) },
  { weight: 2, arbitrary: fc.record({ act: fc.constant('leave' as const), index }) },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('limit' as const), limit: fc.integer({ min: 1, max: 8 }) }) },
  { weight: 4, arbitrary: fc.record({ act: fc.constant('advance' as const), ms: fc.constantFrom(0, 1, 7.5, 30, 80) }) },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('stall' as const), ms: fc.constantFrom(3, 40, 400) }) },
)
const drain: fc.Arbitrary<Step> = fc.record({
  act: fc.constant('drain' as const),
  graceMs: fc.constantFrom(0, 30, 500),
})
const steps = fc
  .tuple(
    fc.array(step, { maxLength: 60 }),
    fc.array(fc.oneof({ weight: 4, arbitrary: step }, drain), { maxLength: 20 }),
  )
  .map(([open, closing]) => [...open, ...closing])

const quiet = { enqueued: 'keep', admitted: 'keep', ended: 'keep' } as const
const mischief = fc.record({
  enqueued: fc.constantFrom<Reaction>('keep', 'throw', 'leave', 'raise', 'other', 'offer'),
  admitted: fc.constantFrom<Reaction>('keep', 'throw', 'offer', 'lower', 'raise'),
  ended: fc.constantFrom<Reaction>('keep', 'throw', 'offer', 'raise', 'other'),
})
const setting: fc.Arbitrary<Setting> = fc.record({
  limit: fc.integer({ min: 1, max: 5 }),
  jumpy: fc.boolean(),
  newestFirst: fc.boolean(),
  depthMax: fc.constantFrom(0, 1, 3, 20),
  waitMaxMs: fc.constantFrom(0, 1, 20, 50, 200),
  permitAgeMaxMs: fc.constantFrom(200, 300_000),
  quota: fc.constantFrom('none' as const, 'bucket' as const, 'late' as const, 'broken' as const),
  observed: fc.oneof(fc.constant(quiet), mischief),
})

describe('random programs', () => {
  it('never bring the accounts of a door into disorder', () => {
    fc.assert(
      fc.property(setting, steps, fc.nat(1000), (made, program, chance) => {
        new Program(made, chance).run(program)
      }),
      parameters,
    )
  }, 60_000)

  it('run the same way when they are run again', () => {
    fc.assert(
      fc.property(setting, steps, fc.nat(1000), (made, program, chance) => {
        const [first, second] = [new Program(made, chance), new Program(made, chance)]
        first.run(program)
        second.run(program)
        expect(second.trace).toEqual(first.trace)
      }),
      { ...parameters, numRuns: Math.ceil(numRuns / 15) },
    )
  }, 60_000)
})
