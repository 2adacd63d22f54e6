// Whole runs: the same seed gives the same run, every policy meets the same requests, every account adds up, and what
// cannot end says so.

import { describe, expect, it } from 'vitest'
import { constant, exponential, lognormal } from '../workload/distribution.ts'
import type { Fault } from './fault.ts'
import { planOf, usualPlan } from './plan.ts'
import { policies } from './policies.ts'
import { runScenario } from './run.ts'
import type { ClientPlan, Scenario, ServicePlan, SimulatedRun } from './scenario.ts'

const CAPACITY = 400
const shop: ServicePlan = { plant: { kind: 'pool', slots: 8 }, workMs: exponential(20) }

interface Made {
  readonly multiple?: number
  readonly lengthMs?: number
  readonly client?: ClientPlan
  readonly faults?: readonly Fault[]
  readonly service?: ServicePlan
}

/** The reference service: baseline, stress, recovery. */
function scenarioOf({ multiple = 2, lengthMs = 5000, client, faults = [], service = shop }: Made): Scenario {
  const stress = { name: 'stress', lengthMs, multiple }
  const plan = usualPlan(CAPACITY, [stress], { warmUpMs: 1000, baselineMs: 4000, recoveryMs: 5000 })
  return {
    id: 'test',
    title: 'A test',
    services: { shop: service },
    traffic: [
      {
        arrivals: { perS: plan.rate },
        client: { timeoutMs: 250, ...client },
        mix: { tenants: { a: 1, b: 1 }, criticalities: { critical: 1, sheddable: 3 } },
      },
    ],
    phases: plan.phases,
    capacityPerS: CAPACITY,
    deadlineMs: 250,
    faults,
  }
}

const during = { service: 'shop', fromMs: 5000, toMs: 8000 } as const
const troubles: readonly [string, Made][] = [
  ['nothing', { multiple: 0.7 }],
  ['twice the load', { multiple: 2 }],
  ['twice the load and retries', { multiple: 2, client: { attempts: 3 } }],
  ['ten times the load', { multiple: 10, lengthMs: 1000 }],
  ['a slow-down', { multiple: 0.7, client: { attempts: 3 }, faults: [{ kind: 'slow-down', factor: 10, ...during }] }],
  ['an outage', { multiple: 0.7, client: { attempts: 3 }, faults: [{ kind: 'outage', ...during }] }],
  ['an outage that is quick', { multiple: 0.7, faults: [{ kind: 'outage', failMs: 0, ...during }] }],
  ['a black hole', { multiple: 0.7, client: { attempts: 3 }, faults: [{ kind: 'black-hole', ...during }] }],
  ['lost capacity', { multiple: 0.7, faults: [{ kind: 'capacity-loss', slots: 4, ...during }] }],
  ['a pause', { multiple: 0.7, client: { attempts: 3 }, faults: [{ kind: 'pause', ...during, toMs: 6500 }] }],
  ['a cold start', { multiple: 0.7, faults: [{ kind: 'cold-start', factor: 5, ...during, fromMs: 0 }] }],
  ['a crash', { multiple: 0.7, faults: [{ kind: 'crash', service: 'shop', atMs: 6000, startUpMs: 500 }] }],
  ['a clock that jumps', { multiple: 0.7, faults: [{ kind: 'clock-jump', atMs: 6000, byMs: 3_600_000 }] }],
  [
    'a tenant’s burst',
    { multiple: 0.7, faults: [{ kind: 'tenant-burst', tenant: 'c', perS: 1000, fromMs: 5000, toMs: 8000 }] },
  ],
  [
    'dear queries',
    { multiple: 0.7, faults: [{ kind: 'expensive-queries', share: 0.1, factor: 20, fromMs: 5000, toMs: 8000 }] },
  ],
  ['a shutdown', { multiple: 2, faults: [{ kind: 'shutdown', service: 'shop', atMs: 7000, graceMs: 500 }] }],
  ['a network', { multiple: 2, service: { ...shop, networkMs: lognormal(5, 1) } }],
  [
    'cores',
    { multiple: 2, service: { ...shop, plant: { kind: 'sharing', cores: 8, contention: { k: 0.03, beyond: 8 } } } },
  ],
  [
    'a loop',
    { multiple: 0.5, service: { plant: { kind: 'loop', connections: 'fresh', refuseMs: 0.1 }, workMs: constant(4) } },
  ],
]

const goodIn = (run: SimulatedRun, phase: string): number => run.latencies[phase]?.good.count ?? 0

describe('a run', () => {
  const both = [policies.unprotected, policies.reference, policies.default]

  it.each(troubles)('adds up under every policy with %s', (_, made) => {
    for (const policy of both) {
      const run = runScenario(scenarioOf(made), policy, 1)
      expect(run.conservationErrors, policy.name).toEqual([])
      expect(run.warnings, policy.name).toEqual([])
      expect(run.requests).toBeGreaterThan(1000)
    }
  })

  it.each(troubles)('is the same for the same seed, and another for another, with %s', (_, made) => {
    const scenario = scenarioOf(made)
    const hash = (seed: number): string => runScenario(scenario, policies.default, seed).traceHash
    expect(hash(3)).toBe(hash(3))
    expect(hash(3)).not.toBe(hash(4))
  })

  it('brings the same requests to every policy, tenant by tenant', () => {
    const scenario = scenarioOf({ client: { attempts: 3 } })
    const [first, ...others] = both.map((policy) => {
      const { requests, intervals, byTenant, byCriticality } = runScenario(scenario, policy, 9)
      const offered = ({ phase, group, offered }: SimulatedRun['byTenant'][number]): unknown => [phase, group, offered]
      const by = [...byTenant, ...byCriticality].map(offered)
      return { requests, offered: intervals.map((each) => each.offered), by: by.sort() }
    })
    for (const other of others) expect(other).toEqual(first)
  })

  it('shows the collapse of the unprotected service, and the door that prevents it', () => {
    const scenario = scenarioOf({ multiple: 5, lengthMs: 2000, client: { attempts: 3 } })
    const bare = runScenario(scenario, policies.unprotected, 1)
    const kept = runScenario(scenario, policies.default, 1)
    const offered = 5 * 0.7 * CAPACITY
    expect(goodIn(bare, 'recovery')).toBeLessThan(0.05 * offered)
    expect(goodIn(kept, 'recovery')).toBeGreaterThan(0.95 * offered)
    expect(bare.attemptsPerRequest).toBeGreaterThan(2)
    expect(kept.attemptsPerRequest).toBeLessThan(1.1)
    expect(bare.wastedRatio).toBeGreaterThan(0.5)
    expect(kept.wastedRatio).toBeLessThan(0.1)
    expect(kept.intervals.some(({ rejectedByReason }) => (rejectedByReason.capacity ?? 0) > 0)).toBe(true)
  })

  it('keeps latencies by interval where pictures are wanted', () => {
    const scenario = scenarioOf({ multiple: 0.7 })
    const [plain, pictured] = [{}, { forPictures: true }].map((options) =>
      runScenario(scenario, policies.default, 1, options),
    )
    expect(plain?.intervals[20]?.p99Ms).toBeUndefined()
    expect(pictured?.intervals[20]?.p99Ms).toBeGreaterThan(pictured?.intervals[20]?.p50Ms as number)
    expect(pictured?.traceHash).toBe(plain?.traceHash)
  })

  it('measures slots in use, the limit and the queue', () => {
    const run = runScenario(scenarioOf({ multiple: 2 }), policies.default, 1)
    const stress = run.intervals.slice(70, 95)
    for (const { inFlight, limit, queue } of stress) {
      expect(inFlight).toBeGreaterThan(7)
      expect(inFlight).toBeLessThanOrEqual(8.0001)
      expect(limit).toBe(8)
      expect(queue).toBeGreaterThan(20)
    }
  })

  it('sorts requests into the groups of the scenario', () => {
    const scenario = { ...scenarioOf({}), groupOf: ({ tenant }: { tenant: string | undefined }) => tenant }
    const { groups, byTenant } = runScenario(scenario, policies.default, 1)
    expect(Object.keys(groups).sort()).toEqual(['a', 'b'])
    const stress = groups.a?.find(({ phase }) => phase === 'stress')
    const counted = byTenant.find(({ phase, group }) => phase === 'stress' && group === 'a')
    expect([stress?.offered, stress?.good]).toEqual([counted?.offered, counted?.good])
    expect(stress?.p50Ms).toBeGreaterThan(20)
  })

  it('leaves traffic that is not measured out of the record, but not out of the accounts', () => {
    const scenario = scenarioOf({ multiple: 0.5 })
    const noisy: Scenario = {
      ...scenario,
      traffic: [...scenario.traffic, { arrivals: { perS: 100 }, measured: false }],
    }
    const [quiet, loud] = [scenario, noisy].map((each) => runScenario(each, policies.default, 1))
    const offered = (run?: SimulatedRun): number => run?.intervals.reduce((sum, each) => sum + each.offered, 0) ?? 0
    expect(Math.abs(offered(loud) - offered(quiet))).toBeLessThan(0.05 * offered(quiet))
    expect(loud?.services.shop?.arrived).toBeGreaterThan((quiet?.services.shop?.arrived ?? 0) + 1000)
    expect(loud?.conservationErrors).toEqual([])
  })

  it('lets workers take the next job when the last is done', () => {
    const scenario: Scenario = {
      ...scenarioOf({ multiple: 0.01 }),
      traffic: [{ workers: { count: 8, jobs: 1000 }, client: { timeoutMs: 10_000 } }],
      deadlineMs: 10_000,
    }
    const run = runScenario(scenario, policies.unprotected, 1)
    expect([run.requests, run.services.shop?.done]).toEqual([1000, 1000])
    expect(run.services.shop?.waitMaxMs).toBe(0)
  })

  it('stops at its horizon when it cannot end, and says so', () => {
    const hole: Fault = { kind: 'black-hole', service: 'shop', fromMs: 0, toMs: 500_000 }
    const scenario = scenarioOf({ multiple: 0.1, faults: [hole] })
    const patient = { ...scenario, traffic: [{ arrivals: { perS: 10 }, client: { timeoutMs: 900_000 } }] }
    const run = runScenario(patient, policies.unprotected, 1)
    expect(run.warnings).toHaveLength(1)
    expect(run.warnings[0]).toMatch(/^stopped at its horizon \(75000 ms\) with \d+ requests still waiting/)
    expect(run.conservationErrors).toEqual([])
    expect(run.endedAtMs).toBeLessThanOrEqual(75_000)
  })

  it('warns when nothing can ever happen again', () => {
    // Connections that do not fit into the backlog are dropped unseen, and these callers wait for ever.
    const loop: ServicePlan = { plant: { kind: 'loop', connections: 'fresh', backlog: 1 }, workMs: constant(10) }
    const scenario = scenarioOf({ multiple: 0.1, service: loop })
    const arrivals = { atMs: [10, 10, 10, 10] }
    const patient = { ...scenario, traffic: [{ arrivals, client: { timeoutMs: Infinity } }] }
    const run = runScenario(patient, policies.unprotected, 1)
    expect(run.warnings).toEqual([
      'nothing can ever happen again, and 2 requests are still waiting; they count as late',
    ])
    expect(run.timeouts['warm-up']).toBe(2)
    expect(run.conservationErrors).toEqual([])
  })

  it('has phases and rates from multiples of the capacity', () => {
    const plan = planOf(100, [
      { name: 'warm-up', lengthMs: 1000, multiple: 0.5 },
      { name: 'stress', lengthMs: 2000, multiple: 0, toMultiple: 3 },
    ])
    expect(plan.lengthMs).toBe(3000)
    expect(plan.phases).toEqual([
      { name: 'warm-up', lengthMs: 1000, multiple: 0.5 },
      // A ramp has no one load.
      { name: 'stress', lengthMs: 2000 },
    ])
    expect(plan.rate.map(({ atMs, perS }) => [atMs, perS])).toEqual([
      [0, 50],
      [1000, 50],
      [1000, 0],
      [3000, 300],
      [3000, 0],
    ])
  })
})
