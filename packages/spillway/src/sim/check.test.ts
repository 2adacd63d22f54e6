// Impossible scenarios are refused before they run, with the field, what came and what would be right.

import { describe, expect, it } from 'vitest'
import { exponential } from '../workload/distribution.ts'
import { checkScenario } from './check.ts'
import { policyNamed } from './policies.ts'
import type { Scenario } from './scenario.ts'

const sound: Scenario = {
  id: 'sound',
  title: 'Nothing wrong',
  services: { shop: { plant: { kind: 'pool', slots: 8 }, workMs: exponential(20) } },
  traffic: [{ arrivals: { perS: 100 } }],
  phases: [{ name: 'stress', lengthMs: 1000 }],
  capacityPerS: 400,
  deadlineMs: 250,
}

function problemsOf(change: object): string[] {
  try {
    checkScenario({ ...sound, ...change })
  } catch (error) {
    const { code, message } = error as { code: string; message: string }
    expect(code).toBe('SPILLWAY_OPTIONS_INVALID')
    return message.replace(/^scenario \S* refused: /, '').split('; ')
  }
  return []
}

const shopWith = (change: object): object => ({ services: { shop: { ...sound.services.shop, ...change } } })
const call = (to: string): object => ({ plant: { kind: 'endless' }, steps: [{ do: 'call', to }] })

describe('checkScenario', () => {
  it('accepts what is sound', () => {
    expect(problemsOf({})).toEqual([])
  })

  it.each<[string, object, string[]]>([
    [
      'no capacity',
      shopWith({ plant: { kind: 'pool', slots: 0 } }),
      ['services.shop.plant.slots must be a whole number of 1 or more, got 0'],
    ],
    [
      'a plant that does not exist',
      shopWith({ plant: { kind: 'mainframe' } }),
      ['services.shop.plant.kind must be one of pool, sharing, loop, endless, got "mainframe"'],
    ],
    [
      'negative rates',
      { traffic: [{ arrivals: { perS: -5 } }] },
      ['traffic[0].arrivals.perS must be a finite rate of 0 or more, got -5'],
    ],
    ['nobody who calls', { traffic: [] }, ['traffic must have at least one entry, or nobody calls']],
    ['neither arrivals nor workers', { traffic: [{}] }, ['traffic[0] must have either arrivals or workers']],
    [
      'circles of calls',
      { services: { a: call('b'), b: call('c'), c: call('b') } },
      ['services must not call each other in a circle: b → c → b'],
    ],
    [
      'calls of nobody',
      { services: { a: call('b') } },
      ['services.a.steps[0].to must be a, got "b"', 'traffic[0]'].slice(0, 1),
    ],
    [
      'no length',
      { phases: [{ name: 'stress', lengthMs: 0 }] },
      ['phases[0].lengthMs must be a finite number above 0, got 0'],
    ],
    [
      'two phases of one name',
      {
        phases: [
          { name: 'a', lengthMs: 1 },
          { name: 'a', lengthMs: 1 },
        ],
      },
      ['phases[1].name must be a name no other phase has, got "a"'],
    ],
    [
      'faults that make no sense',
      {
        faults: [
          { kind: 'slow-down', service: 'bank', factor: 0, fromMs: 10, toMs: 5 },
          { kind: 'earthquake' },
          { kind: 'crash', service: 'shop', atMs: -1 },
        ],
      },
      [
        'faults[0].toMs must be a finite number above 10, got 5',
        'faults[0].factor must be a finite number above 0, got 0',
        'faults[0].service must be shop, got "bank"',
        'faults[1].kind must be one of slow-down, outage, black-hole, capacity-loss, pause, cold-start, crash, cache-flush, clock-jump, tenant-burst, expensive-queries, shutdown, got "earthquake"',
        'faults[2].atMs must be a finite number of 0 or more, got -1',
      ],
    ],
    [
      'clients who cannot be',
      {
        traffic: [
          {
            to: 'bank',
            arrivals: { perS: 1 },
            client: { timeoutMs: 0, attempts: 0, backOff: { kind: 'linear' }, retryOn: ['boredom'] },
          },
        ],
      },
      [
        'traffic[0].to must be shop, got "bank"',
        'traffic[0].client.timeoutMs must be a number above 0, got 0',
        'traffic[0].client.attempts must be a whole number from 1 to 1000, got 0',
        'traffic[0].client.backOff.kind must be one of none, fixed, exponential, got "linear"',
        'traffic[0].client.retryOn must be one of timeout, failed, rejected, got "boredom"',
      ],
    ],
    [
      'fleets without replicas',
      shopWith({ fleet: { replicas: 0, balancer: 'random', health: { everyMs: 0, timeoutMs: 1, missesMax: 1 } } }),
      [
        'services.shop.fleet.replicas must be a whole number from 1 to 1000, got 0',
        'services.shop.fleet.balancer must be one of round-robin, least-connections, power-of-two, got "random"',
        'services.shop.fleet.health.everyMs must be a finite number above 0, got 0',
      ],
    ],
    [
      'work at a service that does not exist',
      { traffic: [{ arrivals: { perS: 1 }, mix: { kinds: [{ workMs: { bank: exponential(1) } }] } }] },
      ['traffic[0].mix.kinds[0].workMs must be work at shop, got "bank"'],
    ],
    [
      'no numbers at all',
      { capacityPerS: Number.NaN, deadlineMs: 'soon' },
      [
        'capacityPerS must be a finite number above 0, got NaN',
        'deadlineMs must be a finite number above 0, got "soon"',
      ],
    ],
  ])('refuses %s', (_, change, wanted) => {
    expect(problemsOf(change)).toEqual(wanted)
  })
})

describe('policyNamed', () => {
  it('finds policies, and names them all when there is none of that name', () => {
    expect(policyNamed('default').name).toBe('default')
    expect(() => policyNamed('toString')).toThrow(
      'policy must be one of unprotected, reference, default, fifo, fifo-skip-gone, fifo-deadline, bounded-20, got "toString"',
    )
  })
})
