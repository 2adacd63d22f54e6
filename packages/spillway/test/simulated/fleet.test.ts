// Fleets: balancers, health checks, an autoscaler, restarts; and one event loop by itself.

import { describe, expect, it } from 'vitest'
import { policies } from '../../src/sim/policies.ts'
import type { FleetPlan, Scenario, ServicePlan, SimulatedRun, Traffic } from '../../src/sim/scenario.ts'
import { constant, exponential } from '../../src/workload/distribution.ts'
import { run, scenarioOf } from './scenario-of.ts'

describe('a fleet', () => {
  const pod: ServicePlan = { plant: { kind: 'pool', slots: 4 }, workMs: exponential(20) }
  const fleetOf = (fleet: FleetPlan): Scenario['services'] => ({ pods: { ...pod, fleet } })

  it.each(['round-robin', 'least-connections', 'power-of-two'] as const)('spreads calls: %s', (balancer) => {
    const record = run(scenarioOf(fleetOf({ replicas: 4, balancer }), { arrivals: { perS: 480 } }))
    // 16 slots × 20 ms: 800/s, so it is busy for 0.6 of the time.
    expect(Math.abs((record.services.pods?.utilisation ?? 0) - 0.6)).toBeLessThan(0.02)
    expect(record.latencies.stress?.good.count).toBe(record.requests)
  })

  it('waits less where calls go to the instance with the fewest', () => {
    const waitMs = (balancer: NonNullable<FleetPlan['balancer']>): number =>
      run(scenarioOf(fleetOf({ replicas: 4, balancer }), { arrivals: { perS: 640 } })).services.pods?.waitMeanMs ?? 0
    expect(waitMs('least-connections')).toBeLessThan(waitMs('power-of-two'))
    expect(waitMs('power-of-two')).toBeLessThan(waitMs('round-robin'))
  })

  it('falls for a sinkhole, unless failing instances are taken out', () => {
    const sink = (fleet: Partial<FleetPlan>): SimulatedRun =>
      run(
        scenarioOf(
          fleetOf({ replicas: 3, balancer: 'least-connections', ...fleet }),
          { arrivals: { perS: 300 } },
          {
            faults: [{ kind: 'outage', service: 'pods', instance: 0, failMs: 0, fromMs: 2000, toMs: 8000 }],
          },
        ),
      )
    const [naive, careful] = [sink({}), sink({ ejection: { failuresMax: 5, forMs: 2000 } })]
    expect(naive.latencies.stress?.failed.count).toBeGreaterThan(1000)
    expect(careful.latencies.stress?.failed.count).toBeLessThan(50)
    expect(careful.services.pods?.ejections).toBeGreaterThan(2)
  })

  it('restarts instances whose checks wait behind the requests, and nobody else', () => {
    const health = { everyMs: 1000, timeoutMs: 500, missesMax: 2, sharesQueue: true }
    const overload: Traffic = { arrivals: { perS: 2000 }, client: { timeoutMs: 1000 } }
    const shared = run(scenarioOf(fleetOf({ replicas: 2, health, startUpMs: 1000 }), overload))
    expect(shared.services.pods?.restarts).toBeGreaterThan(4)
    expect(shared.healthChecks?.failed).toBeGreaterThan(8)
    const apart = run(scenarioOf(fleetOf({ replicas: 2, health, startUpMs: 1000 }), overload), policies.default)
    expect([apart.services.pods?.restarts, apart.healthChecks?.failed]).toEqual([0, 0])
    const stopped = run(
      scenarioOf(
        fleetOf({ replicas: 2, health, startUpMs: 1000 }),
        { arrivals: { perS: 200 } },
        {
          faults: [{ kind: 'pause', service: 'pods', instance: 1, fromMs: 3000, toMs: 9500 }],
        },
      ),
      policies.default,
    )
    expect(stopped.services.pods?.restarts).toBeGreaterThan(0)
  })

  it('grows with demand where that is what the scaler sees, also behind a door', () => {
    const autoscaler = { everyMs: 1000, replicasMin: 2, replicasMax: 20, target: 0.7, signal: 'demand' } as const
    const record = run(
      scenarioOf(
        fleetOf({ replicas: 2, autoscaler, startUpMs: 1000 }),
        { arrivals: { perS: 2000 } },
        { deadlineMs: 250 },
      ),
      policies.default,
    )
    // 2000/s × 20 ms = 40 slots, of which 0.7 are to be busy: 57 slots, 15 pods.
    expect(record.services.pods?.replicas).toBeGreaterThanOrEqual(14)
    expect(record.services.pods?.replicas).toBeLessThanOrEqual(17)
  })

  it('takes replicas away only when they have been too many for a while', () => {
    const autoscaler = { everyMs: 500, replicasMin: 1, replicasMax: 8, target: 0.5, signal: 'utilisation' } as const
    const replicas = (downAfterMs: number): number | undefined =>
      run(
        scenarioOf(fleetOf({ replicas: 8, autoscaler: { ...autoscaler, downAfterMs } }), { arrivals: { perS: 100 } }),
        policies.default,
      ).services.pods?.replicas
    expect(replicas(60_000)).toBe(8)
    expect(replicas(2000)).toBeLessThan(4)
  })

  it('drains an instance that is shut down, and counts how long it takes', () => {
    const record = run(
      scenarioOf(
        fleetOf({ replicas: 2 }),
        { arrivals: { perS: 300 } },
        {
          faults: [{ kind: 'shutdown', service: 'pods', instance: 0, atMs: 5000, graceMs: 2000 }],
        },
      ),
      policies.default,
    )
    expect(record.services.pods?.replicas).toBe(1)
    expect(record.services.pods?.drainMs).toBeLessThan(1000)
    expect(record.latencies.stress?.failed.count).toBe(0)
  })

  it('has nobody to answer while its only instance starts', () => {
    const record = run(
      scenarioOf(
        { pods: pod },
        { arrivals: { perS: 100, spacing: 'constant' } },
        {
          faults: [{ kind: 'crash', service: 'pods', atMs: 5000, startUpMs: 1000 }],
        },
      ),
    )
    expect(Math.abs((record.latencies.stress?.failed.count ?? 0) - 100)).toBeLessThan(8)
    expect(record.services.pods?.dropped).toBe(100)
  })

  it('starts new instances cold', () => {
    const fleet = { replicas: 1, startUpMs: 100, coldStart: { factor: 20, lengthMs: 2000 } }
    const record = run(
      scenarioOf(
        fleetOf(fleet),
        { arrivals: { perS: 100 } },
        {
          faults: [{ kind: 'crash', service: 'pods', atMs: 5000 }],
        },
      ),
    )
    expect(record.services.pods?.waitMaxMs).toBeGreaterThan(1000)
  })
})

describe('one event loop', () => {
  const web = (connections: 'kept' | 'fresh', more: object = {}): ServicePlan => ({
    plant: { kind: 'loop', connections, ...more },
    workMs: constant(5),
  })
  const client = { timeoutMs: 1000 }

  it('hides fresh connections from the door: it refuses nobody, and works for the gone', () => {
    const scenario = scenarioOf({ web: web('fresh') }, { arrivals: { perS: 1000 }, client })
    const fresh = run(scenario, policies.default)
    expect(fresh.latencies.stress?.rejected.count).toBe(0)
    expect(fresh.services.web?.workedForGoneMs).toBeGreaterThan(0.5 * (fresh.services.web?.workedMs ?? 0))
    expect(fresh.latencies.stress?.good.count).toBeLessThan(0.3 * 2000)
  })

  it('keeps a short backlog from going stale', () => {
    const scenario = scenarioOf({ web: web('fresh', { backlog: 64 }) }, { arrivals: { perS: 1000 }, client })
    const record = run(scenario)
    expect(record.services.web?.dropped).toBeGreaterThan(5000)
    expect(record.services.web?.workedForGone).toBe(0)
    expect(record.latencies.stress?.good.count).toBeGreaterThan(0.95 * 2000)
  })

  it('pays for what it accepts, reads and refuses from the same core', () => {
    const { plant } = web('kept', { readMs: 0.1, refuseMs: 0.4 })
    const steps: ServicePlan['steps'] = [
      { do: 'wait', ms: constant(50) },
      { do: 'work', ms: constant(5) },
    ]
    const record = run(
      scenarioOf({ web: { plant, steps, limit: 2 } }, { arrivals: { perS: 500 }, client }),
      policies.default,
    )
    expect(record.services.web?.rejected).toBeGreaterThan(1000)
    expect(record.refusalCostRatio).toBeCloseTo(0.5 / 5.1, 2)
  })
})
