// Services together: chains, fan-out, caches, slow readers, networks.

import { describe, expect, it } from 'vitest'
import { policies } from '../../src/sim/policies.ts'
import type { Scenario, ServicePlan, SimulatedRun, Traffic } from '../../src/sim/scenario.ts'
import { constant } from '../../src/workload/distribution.ts'
import { endless, run, scenarioOf } from './scenario-of.ts'

describe('services that call each other', () => {
  it('take the sum of a chain and the longest of a fan-out', () => {
    const { latencies } = run(
      scenarioOf(
        {
          front: {
            plant: endless,
            steps: [
              { do: 'work', ms: constant(1) },
              { do: 'call', to: 'middle' },
              { do: 'wait', ms: constant(2) },
            ],
          },
          middle: {
            plant: endless,
            steps: [
              { do: 'call', to: ['quick', 'slow'] },
              { do: 'work', ms: constant(4) },
            ],
          },
          quick: { plant: endless, workMs: constant(8) },
          slow: { plant: endless, workMs: constant(16) },
        },
        { arrivals: { perS: 100 } },
      ),
    )
    expect(latencies.stress?.good.count).toBeGreaterThan(900)
    expect(latencies.stress?.good.meanMs).toBeCloseTo(23, 6)
    expect(latencies.stress?.good.maxMs).toBeCloseTo(23, 6)
  })

  it('multiply their retries: three tiers with three attempts make 27', () => {
    const tier = (to: string): ServicePlan => ({
      plant: endless,
      steps: [{ do: 'call', to, client: { attempts: 3 } }],
    })
    const services = { a: tier('b'), b: tier('store'), store: { plant: endless, workMs: constant(1) } }
    const record = run(
      scenarioOf(
        services,
        { arrivals: { atMs: [100] }, client: { attempts: 3 } },
        {
          faults: [{ kind: 'outage', service: 'store', fromMs: 0, toMs: 9000 }],
        },
      ),
    )
    expect(record.services.store?.arrived).toBe(27)
    expect(record.latencies.stress?.failed.count).toBe(1)
  })

  it('are as many more in flight at every hop as a slow dependency takes longer: λ·ΔW', () => {
    const services = {
      front: { plant: endless, steps: [{ do: 'call', to: 'middle' }] },
      middle: { plant: endless, steps: [{ do: 'call', to: 'store' }] },
      store: { plant: endless, workMs: constant(100) },
    } satisfies Scenario['services']
    const slowed = (factor: number): SimulatedRun =>
      run(
        scenarioOf(
          services,
          { arrivals: { perS: 100, spacing: 'constant' }, client: { timeoutMs: 5000 } },
          {
            deadlineMs: 5000,
            faults: [{ kind: 'slow-down', service: 'store', factor, fromMs: 0, toMs: 60_000 }],
            phases: [{ name: 'stress', lengthMs: 60_000 }],
          },
        ),
      )
    const [usual, slow] = [slowed(1), slowed(10)]
    for (const name of ['front', 'middle', 'store']) {
      const more = (slow.services[name]?.insideMean ?? 0) - (usual.services[name]?.insideMean ?? 0)
      expect(Math.abs(more - 90)).toBeLessThan(3)
    }
  })

  it('go on without an answer that is optional, and make a call for a share or a class only', () => {
    const record = run(
      scenarioOf(
        {
          front: {
            plant: endless,
            steps: [
              { do: 'call', to: 'broken', optional: true, share: 0.25 },
              { do: 'call', to: 'reports', classes: ['report'] },
            ],
          },
          broken: { plant: endless, workMs: constant(1) },
          reports: { plant: endless, workMs: constant(1) },
        },
        { arrivals: { perS: 400 }, mix: { kinds: [{ share: 3 }, { class: 'report' }] } },
        { faults: [{ kind: 'outage', service: 'broken', fromMs: 0, toMs: 10_000 }] },
      ),
    )
    expect(record.latencies.stress?.failed.count).toBe(0)
    expect(record.latencies.stress?.good.count).toBe(record.requests)
    for (const name of ['broken', 'reports'])
      expect(Math.abs((record.services[name]?.arrived ?? 0) / record.requests - 0.25)).toBeLessThan(0.03)
  })

  it('hand a refusal up as one for the dependency', () => {
    const record = run(
      scenarioOf(
        {
          front: { plant: endless, steps: [{ do: 'call', to: 'store' }] },
          store: { plant: { kind: 'pool', slots: 1, queueMax: 0 }, workMs: constant(100) },
        },
        { arrivals: { atMs: [0, 1] } },
      ),
    )
    expect(record.intervals[0]?.rejectedByReason).toEqual({ dependency: 1 })
  })

  it('leave their calls when their caller has gone, under policies that stop', () => {
    const services = {
      front: { plant: endless, steps: [{ do: 'call', to: 'store' }] },
      store: { plant: { kind: 'pool', slots: 1 }, workMs: constant(10) },
    } satisfies Scenario['services']
    const scenario = scenarioOf(
      services,
      { arrivals: { atMs: Array.from({ length: 100 }, () => 0) }, client: { timeoutMs: 95 } },
      { deadlineMs: 95 },
    )
    expect(run(scenario).services.store?.workedMs).toBe(1000)
    expect(run(scenario, { ...policies.unprotected, leaving: 'breaks-off' }).services.store?.workedMs).toBe(95)
  })
})

describe('a cache', () => {
  const cached = (cache: object): ServicePlan => ({ plant: endless, steps: [{ do: 'call', to: 'store', cache }] })
  const store: ServicePlan = { plant: endless, workMs: constant(1) }
  const keys = { count: 500, skew: 0 }

  it('hits as often as the time to live says: λT/(1 + λT) per key', () => {
    const record = run(
      scenarioOf(
        { cache: cached({ ttlMs: 2250 }), store },
        { arrivals: { perS: 2000 }, mix: { keys } },
        {
          phases: [{ name: 'stress', lengthMs: 60_000 }],
        },
      ),
    )
    const { cacheHits = 0, cacheLookups = 1 } = record.services.cache ?? {}
    expect(cacheHits / cacheLookups).toBeCloseTo(0.9, 1)
    expect(Math.abs(cacheHits / cacheLookups - 0.9)).toBeLessThan(0.01)
    expect(record.services.store?.arrived).toBe(cacheLookups - cacheHits)
  })

  it('knows what it is warmed with, forgets what was used longest ago, and all of it when flushed', () => {
    const warm = cached({ warm: 500 })
    const scenario = scenarioOf({ cache: warm, store }, { arrivals: { perS: 500 }, mix: { keys } })
    expect(run(scenario).services.store).toMatchObject({ arrived: 0 })
    const flushed = run({ ...scenario, faults: [{ kind: 'cache-flush', service: 'cache', atMs: 5000 }] })
    expect(flushed.services.store?.arrived).toBeGreaterThan(400)
    const small = run(
      scenarioOf({ cache: cached({ entriesMax: 100 }), store }, { arrivals: { perS: 500 }, mix: { keys } }),
    )
    const { cacheHits = 0, cacheLookups = 1 } = small.services.cache ?? {}
    expect(Math.abs(cacheHits / cacheLookups - 0.2)).toBeLessThan(0.03)
  })

  it('fills on success only', () => {
    const record = run(
      scenarioOf(
        { cache: cached({}), store },
        { arrivals: { perS: 100 }, mix: { keys: { count: 1 } } },
        {
          faults: [{ kind: 'outage', service: 'store', fromMs: 0, toMs: 5000 }],
        },
      ),
    )
    expect(record.latencies.stress?.failed.count).toBeGreaterThan(400)
    expect(record.services.store?.done).toBeLessThan(5)
  })

  it('asks once for callers who share', () => {
    const arrivals = { atMs: Array.from({ length: 50 }, () => 10) }
    const asked = (coalesces: boolean): number | undefined =>
      run(scenarioOf({ cache: cached({ coalesces }), store }, { arrivals, mix: { keys: { count: 1 } } })).services.store
        ?.arrived
    expect([asked(false), asked(true)]).toEqual([50, 1])
  })
})

describe('the way between', () => {
  it('takes its time in both directions', () => {
    const { latencies } = run(
      scenarioOf(
        { far: { plant: endless, workMs: constant(10), networkMs: constant(15) } },
        { arrivals: { perS: 50 } },
      ),
    )
    expect(latencies.stress?.good.meanMs).toBeCloseTo(40, 6)
  })

  it('brings a request whose caller has left all the same', () => {
    const record = run(
      scenarioOf(
        { far: { plant: { kind: 'pool', slots: 8 }, workMs: constant(10), networkMs: constant(50) } },
        { arrivals: { atMs: [0] }, client: { timeoutMs: 20 } },
        { phases: [{ name: 'stress', lengthMs: 500 }] },
      ),
    )
    expect(record.services.far).toMatchObject({ arrived: 1, worked: 1, workedForGone: 1 })
    expect(record.timeouts).toEqual({ stress: 1 })
  })
})

describe('callers who read slowly', () => {
  const files: ServicePlan = { plant: { kind: 'pool', slots: 8 }, workMs: constant(10), responseBytes: 64_000 }
  const slow: Traffic = {
    arrivals: { perS: 8 },
    mix: { kinds: [{ readsBytesPerS: 10_000 }] },
    client: { timeoutMs: 60_000 },
  }

  it('are written to as fast as they read, less what fits into a socket', () => {
    const { latencies, services } = run(scenarioOf({ files }, slow, { deadlineMs: 60_000 }))
    expect(latencies.stress?.good.meanMs).toBeCloseTo(10 + 4761.6, 3)
    expect(services.files?.writeHoldMaxMs).toBeCloseTo(4761.6, 3)
  })

  it('keep a permit no longer than the policy lets them', () => {
    const scenario = scenarioOf({ files }, slow, { deadlineMs: 60_000 })
    const held = run(scenario, { ...policies.default, writeHoldMaxMs: Infinity })
    expect(held.services.files?.rejected).toBeGreaterThan(40)
    const released = run(scenario, { ...policies.default, writeHoldMaxMs: 500 })
    expect(released.services.files?.writeHoldMaxMs).toBe(500)
    expect(released.services.files?.rejected).toBe(0)
    expect(released.memoryPeakMb).toBeGreaterThan(30 * 0.064)
  })
})
