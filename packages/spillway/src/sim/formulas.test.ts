// The simulator against queueing theory: what it says of the simplest systems must be what is known about them.

import { describe, expect, it } from 'vitest'
import { meanInterval } from '../verdict/statistics.ts'
import { bimodal, constant, type Distribution, exponential, meanOf, squaredCvOf } from '../workload/distribution.ts'
import { policies } from './policies.ts'
import { runScenario } from './run.ts'
import type { PlantPlan, Scenario, SimulatedRun } from './scenario.ts'

const DAY_MS = 86_400_000

/** `requests` on average at utilisation `rho`, from callers who wait as long as it takes; a tenth of it is warm-up. */
function system(plant: PlantPlan, workMs: Distribution, servers: number, rho: number, requests: number): Scenario {
  const perS = (rho * servers * 1000) / meanOf(workMs)
  const lengthMs = (requests / perS) * 1000
  return {
    id: 'formula',
    title: 'A system with a formula',
    services: { only: { plant, workMs } },
    traffic: [{ arrivals: { perS } }],
    phases: [
      { name: 'warm-up', lengthMs: lengthMs / 10 },
      { name: 'baseline', lengthMs: (lengthMs * 9) / 10 },
    ],
    capacityPerS: (servers * 1000) / meanOf(workMs),
    deadlineMs: DAY_MS,
    intervalMs: 1000,
    horizonMs: 100 * DAY_MS,
  }
}

function run(scenario: Scenario, seed: number): SimulatedRun {
  const record = runScenario(scenario, policies.unprotected, seed)
  expect(record.conservationErrors).toEqual([])
  return record
}

/** Pollaczek–Khinchine: mean wait of M/G/1, ms. */
const waitOfOne = (rho: number, workMs: Distribution): number =>
  ((rho / (1 - rho)) * meanOf(workMs) * (1 + squaredCvOf(workMs))) / 2

/** Erlang C: mean wait of M/M/c, ms. */
function waitOfMany(rho: number, meanMs: number, servers: number): number {
  const load = rho * servers
  let blocked = 1
  for (let n = 1; n <= servers; n++) blocked = (load * blocked) / (n + load * blocked)
  const waits = blocked / (1 - rho * (1 - blocked))
  return (waits * meanMs) / (servers * (1 - rho))
}

const skewed = bimodal(5, 55, 0.1)
const systems: readonly [string, number, Distribution, (rho: number) => number][] = [
  ['M/M/1', 1, exponential(10), (rho) => waitOfOne(rho, exponential(10))],
  ['M/M/8', 8, exponential(20), (rho) => waitOfMany(rho, 20, 8)],
  ['M/D/1', 1, constant(10), (rho) => waitOfOne(rho, constant(10))],
  ['M/G/1', 1, skewed, (rho) => waitOfOne(rho, skewed)],
]

describe('mean waits', () => {
  it.each(systems.flatMap((row) => [0.5, 0.7].map((rho) => [...row, rho] as const)))(
    'of %s over a million requests are within 2 %% of theory at both loads',
    (_, servers, workMs, theory, rho) => {
      const { services } = run(system({ kind: 'pool', slots: servers }, workMs, servers, rho, 1_000_000), 1)
      const waitMs = services.only?.waitMeanMs as number
      expect(Math.abs(waitMs / theory(rho) - 1), `got ${waitMs}, theory ${theory(rho)} at ${rho}`).toBeLessThan(0.02)
    },
    60_000,
  )

  it.each(systems)(
    'of %s at utilisation 0.9 have theory in the 99 %% interval of 20 replications',
    (_, servers, workMs, theory) => {
      const scenario = system({ kind: 'pool', slots: servers }, workMs, servers, 0.9, 25_000)
      const stays = Array.from({ length: 20 }, (_, seed) => {
        return run(scenario, 100 + seed).latencies.baseline?.good.meanMs as number
      })
      const bounds = meanInterval(stays, 0.99)
      const wanted = theory(0.9) + meanOf(workMs)
      expect(bounds?.low, `[${bounds?.low}, ${bounds?.high}] for ${wanted}`).toBeLessThan(wanted)
      expect(bounds?.high, `[${bounds?.low}, ${bounds?.high}] for ${wanted}`).toBeGreaterThan(wanted)
    },
    60_000,
  )
})

describe('processor sharing', () => {
  it.each([
    ['exponential', exponential(10)],
    ['constant', constant(10)],
    ['bimodal', skewed],
  ])(
    'has a mean stay of S/(1 − ρ) with %s work',
    (_, workMs) => {
      const { latencies } = run(system({ kind: 'sharing', cores: 1 }, workMs, 1, 0.7, 200_000), 1)
      expect(Math.abs((latencies.baseline?.good.meanMs as number) / (10 / 0.3) - 1)).toBeLessThan(0.04)
    },
    60_000,
  )

  it('on several cores has the mean stay of M/M/c', () => {
    const { latencies } = run(system({ kind: 'sharing', cores: 4 }, exponential(20), 4, 0.7, 200_000), 1)
    const wanted = 20 + waitOfMany(0.7, 20, 4)
    expect(Math.abs((latencies.baseline?.good.meanMs as number) / wanted - 1)).toBeLessThan(0.02)
  }, 60_000)
})

describe('other plants', () => {
  it('an endless one holds λS at a time and makes nobody wait', () => {
    const { services } = run(system({ kind: 'endless' }, exponential(20), 8, 0.7, 100_000), 1)
    expect(services.only?.waitMaxMs).toBe(0)
    expect(Math.abs((services.only?.insideMean as number) / 5.6 - 1)).toBeLessThan(0.02)
  })

  it('one event loop with open connections is one slot: the same requests wait as long', () => {
    const waitMs = (plant: PlantPlan): number =>
      run(system(plant, exponential(5), 1, 0.7, 50_000), 1).services.only?.waitMeanMs as number
    expect(waitMs({ kind: 'loop', connections: 'kept' })).toBeCloseTo(waitMs({ kind: 'pool', slots: 1 }), 6)
  })

  it('a bounded pool without a line loses what Erlang B says', () => {
    const scenario = system({ kind: 'pool', slots: 8, queueMax: 0 }, exponential(20), 8, 0.8, 200_000)
    const { services } = run(scenario, 1)
    const lost = (services.only?.rejected as number) / (services.only?.arrived as number)
    // Erlang B at 6.4 Erlang on 8 servers.
    expect(Math.abs(lost / 0.1444 - 1)).toBeLessThan(0.03)
  }, 60_000)

  it('callers who lose patience and are let go leave an Erlang A system: M/M/1 where n die at μ + nθ', () => {
    const scenario = system({ kind: 'pool', slots: 1 }, exponential(10), 1, 0.8, 200_000)
    const impatient = { ...scenario, traffic: [{ ...scenario.traffic[0], client: { patienceMs: exponential(10) } }] }
    const record = runScenario(impatient, { ...policies.unprotected, leaving: 'breaks-off' }, 1)
    expect(record.conservationErrors).toEqual([])
    const chances = [1]
    for (let n = 1; n < 60; n++) chances.push(((chances[n - 1] as number) * 0.08) / (0.1 + n * 0.1))
    const total = chances.reduce((sum, chance) => sum + chance, 0)
    const inside = chances.reduce((sum, chance, n) => sum + n * chance, 0) / total
    expect(Math.abs((record.services.only?.insideMean as number) / inside - 1)).toBeLessThan(0.02)
  }, 60_000)
})
