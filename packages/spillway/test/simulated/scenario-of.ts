// What the tests of services and of fleets share.

import { expect } from 'vitest'
import { policies } from '../../src/sim/policies.ts'
import type { Policy } from '../../src/sim/policy.ts'
import { runScenario } from '../../src/sim/run.ts'
import type { Scenario, SimulatedRun, Traffic } from '../../src/sim/scenario.ts'

/** A plant in which everything runs at once. */
export const endless = { kind: 'endless' } as const

/** One stress phase of ten seconds. */
export function scenarioOf(
  services: Scenario['services'],
  traffic: Traffic | readonly Traffic[],
  more: Partial<Scenario> = {},
): Scenario {
  return {
    id: 'test',
    title: 'A test',
    services,
    traffic: [traffic].flat() as Traffic[],
    phases: [{ name: 'stress', lengthMs: 10_000 }],
    capacityPerS: 400,
    deadlineMs: 1000,
    ...more,
  }
}

/** Runs it with seed 1, and expects that every account adds up. */
export function run(scenario: Scenario, policy: Policy = policies.unprotected): SimulatedRun {
  const record = runScenario(scenario, policy, 1)
  expect(record.conservationErrors).toEqual([])
  return record
}
