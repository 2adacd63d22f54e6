// Replications: intervals that hold what they should, and pairs that need fewer runs.

import { describe, expect, it } from 'vitest'
import { exponential } from '../workload/distribution.ts'
import { difference, estimate, goodputIn, replicate, seedsFrom } from './experiment.ts'
import { usualPlan } from './plan.ts'
import { policies } from './policies.ts'
import type { Scenario } from './scenario.ts'

const plan = usualPlan(400, [{ name: 'stress', lengthMs: 5000, multiple: 2 }], {
  warmUpMs: 1000,
  baselineMs: 1000,
  recoveryMs: 1000,
})
const scenario: Scenario = {
  id: 'twice',
  title: 'Twice the load',
  services: { shop: { plant: { kind: 'pool', slots: 8 }, workMs: exponential(20) } },
  traffic: [{ arrivals: { perS: plan.rate } }],
  phases: plan.phases,
  capacityPerS: 400,
  deadlineMs: 250,
}
const seeds = seedsFrom(1, 10)
const goodput = goodputIn('stress')

describe('replications', () => {
  it('estimate a goodput near the capacity, with an interval', () => {
    const { mean, bounds, values } = estimate(replicate(scenario, policies.default, seeds), goodput)
    expect(values).toHaveLength(10)
    expect(mean).toBeGreaterThan(370)
    expect(bounds?.low).toBeLessThan(mean)
    expect((bounds?.high ?? 0) - (bounds?.low ?? 0)).toBeLessThan(20)
  })

  it('see a difference between policies more sharply in pairs', () => {
    const [a, b] = [policies.default, policies.reference].map((policy) => replicate(scenario, policy, seeds))
    const apart = [a, b].map((runs) => estimate(runs ?? [], goodput).bounds)
    const paired = difference(a ?? [], b ?? [], goodput).bounds
    const width = (bounds: { low: number; high: number } | undefined): number =>
      (bounds?.high ?? 0) - (bounds?.low ?? 0)
    expect(width(paired)).toBeLessThan(0.8 * Math.hypot(width(apart[0]), width(apart[1])))
  })

  it('leave out runs that have no such measure', () => {
    const runs = replicate(scenario, policies.default, [1, 2])
    expect(estimate(runs, goodputIn('nowhere')).values).toEqual([])
  })
})
