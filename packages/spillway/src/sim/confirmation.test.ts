// The run with its load cut: the same up to the cut, then a tenth of the capacity, then as before.
import { describe, expect, it } from 'vitest'
import { requestsBetween } from '../workload/rate-profile.ts'
import { withCut } from './confirmation.ts'
import { usualPlan } from './plan.ts'
import type { Scenario } from './scenario.ts'

const plan = usualPlan(400, [{ name: 'stress', lengthMs: 2000, multiple: 5 }])
const scenario: Scenario = {
  id: 'T',
  title: 'Spike',
  services: { shop: { plant: { kind: 'pool', slots: 8 } } },
  traffic: [{ arrivals: { perS: plan.rate } }],
  phases: plan.phases,
  capacityPerS: 400,
  deadlineMs: 250,
}

function rateOf(cut: Scenario | undefined) {
  const arrivals = cut?.traffic[0]?.arrivals
  if (arrivals === undefined || !('perS' in arrivals) || typeof arrivals.perS === 'number')
    throw new Error('no profile')
  return arrivals.perS
}

describe('a scenario with its load cut', () => {
  const cut = withCut(scenario)

  it('is the same until the cut', () => {
    for (const untilMs of [5000, 20_000, 22_000, plan.lengthMs]) {
      expect(requestsBetween(rateOf(cut), 0, untilMs)).toBeCloseTo(requestsBetween(plan.rate, 0, untilMs), 9)
    }
    expect(cut?.phases.slice(0, -2)).toEqual(plan.phases)
  })

  it('then has a tenth of the capacity for five seconds, and the load from before again', () => {
    const endMs = plan.lengthMs
    expect(requestsBetween(rateOf(cut), endMs, endMs + 5000)).toBeCloseTo(200, 9)
    expect(requestsBetween(rateOf(cut), endMs + 5000, endMs + 35_000)).toBeCloseTo(280 * 30, 9)
    expect(requestsBetween(rateOf(cut), endMs + 35_000, endMs + 99_000)).toBe(0)
    expect(cut?.phases.slice(-2)).toEqual([
      { name: 'cut', lengthMs: 5000, multiple: 0.1 },
      { name: 'recovery after the cut', lengthMs: 30_000, multiple: 0.7 },
    ])
  })

  it('shares the cut between several callers', () => {
    const two: Scenario = { ...scenario, traffic: [{ arrivals: { perS: 210 } }, { arrivals: { perS: 70 } }] }
    const shared = withCut(two)
    const rates = shared?.traffic.map(({ arrivals }) =>
      arrivals !== undefined && 'perS' in arrivals ? arrivals.perS : 0,
    )
    const during = rates?.map((rate) =>
      requestsBetween(typeof rate === 'number' ? [] : rate, plan.lengthMs, plan.lengthMs + 5000),
    )
    expect(during?.[0]).toBeCloseTo(150, 9)
    expect(during?.[1]).toBeCloseTo(50, 9)
  })

  it('is not made of a load that nobody can cut', () => {
    expect(withCut({ ...scenario, traffic: [{ arrivals: { atMs: [1, 2] } }] })).toBeUndefined()
    expect(withCut({ ...scenario, traffic: [{ workers: { count: 3 } }] })).toBeUndefined()
    expect(withCut({ ...scenario, traffic: [{ arrivals: { perS: 0 } }] })).toBeUndefined()
  })
})
