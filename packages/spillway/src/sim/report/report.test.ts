// Tables, JSON and pages from hand-made records: the names they promise, and that a page stands alone and stays small.
import { describe, expect, it } from 'vitest'
import { plansOf, recordOf, steady } from '../../../test/run-records.ts'
import { judge, type RunRecord, thresholdsOf } from '../../verdict/index.ts'
import { tickExercises, tickTable } from '../tick/index.ts'
import { columnsOf, reasonsOf } from './columns.ts'
import {
  cataloguePage,
  comparisonJson,
  comparisonTable,
  exampleSeed,
  goodputDifference,
  type PolicySummary,
  type RunSummary,
  type ScenarioSummary,
  scenarioJson,
  scenarioPage,
  scenarioTable,
  summarisePolicy,
  summariseRun,
  tickText,
  tippingPage,
} from './index.ts'

const thresholds = thresholdsOf()

function runOf(policy: string, seed: number, intervalMs = 1000): RunRecord {
  const down = policy === 'unprotected'
  const stress = steady('stress', 10, 10, down ? 0 : 1, { queue: 20 })
  const recovery = steady('recovery', 40, 0.7, down ? 0 : 1, down ? { attempts: 3 } : {})
  return recordOf(plansOf(stress, recovery), { policy, seed, scenario: 'S07' }, intervalMs)
}

function summarised(policy: string, seeds: readonly number[], intervalMs?: number) {
  const runs: RunSummary[] = seeds.map((seed) => {
    const record = runOf(policy, seed, intervalMs)
    return summariseRun(record, judge(record), thresholds)
  })
  return summarisePolicy(policy, runs, thresholds, { example: runOf(policy, seeds[0] as number, intervalMs) })
}

const seeds = Array.from({ length: 30 }, (_, i) => i + 1)
const summary: ScenarioSummary = {
  scenario: 'S07',
  title: 'Spike with <retries>',
  asks: 'not metastable in 30 of 30 seeds',
  seeds,
  policies: [summarised('default', seeds), summarised('unprotected', seeds)],
}

describe('the JSON of a scenario', () => {
  const json = scenarioJson(summary)

  it('has the promised names', () => {
    expect(Object.keys(json)).toEqual(['scenario', 'seeds', 'firstSeed', 'policies'])
    expect(json).toMatchObject({ scenario: 'S07', seeds: 30, firstSeed: 1 })
    for (const name of (
      'goodputRatio goodputPerS p50Ms p99Ms rejected rejectP50Ms rejectP99Ms timeouts recoveryS attemptsPerRequest ' +
      'wastedRatio verdict passRatio'
    ).split(' ')) {
      expect(json.policies.default).toHaveProperty(name)
    }
  })

  it('holds numbers, or null where there is none', () => {
    expect(json.policies.default).toMatchObject({
      goodputRatio: 1,
      goodputPerS: 400,
      recoveryS: 0,
      verdict: 'HOLDS',
      passRatio: 1,
    })
    expect(json.policies.unprotected).toMatchObject({
      goodputRatio: 0,
      recoveryS: null,
      verdict: 'METASTABLE',
      passRatio: 0,
    })
    expect(JSON.parse(JSON.stringify(json))).toEqual(json)
  })

  it('gives intervals beside proportions and means', () => {
    expect(json.policies.default?.passBounds[0]).toBeCloseTo(0.886487, 6)
    expect(json.policies.default?.goodputRatioBounds).toEqual([1, 1])
  })
})

describe('the table of a scenario', () => {
  const lines = scenarioTable(summary).split('\n')

  it('has a row for each policy and a sentence for each verdict', () => {
    expect(lines[0]).toBe('S07  Spike with <retries>  (30 seeds)')
    expect(lines[3]).toMatch(/^policy +goodput\/s +of capacity +p50 +p99/)
    expect(lines[4]).toMatch(/^default +400 +100 % +40 ms +180 ms .* HOLDS +100 %$/)
    expect(lines[5]).toMatch(/^unprotected +0 +0 % .* never .* METASTABLE +0 %$/)
    expect(lines.some((line) => line.startsWith('unprotected: METASTABLE: It is still down'))).toBe(true)
  })
})

describe('a summary', () => {
  it('takes the median of the recoveries, endless ones among them', () => {
    const runs = [1, 2, 3].map((seed) => {
      const record = runOf(seed === 1 ? 'unprotected' : 'default', seed)
      return summariseRun(record, judge(record), thresholds)
    })
    expect(summarisePolicy('default', runs, thresholds).recoveryMs).toBe(0)
    expect(summarisePolicy('default', runs.slice(0, 1), thresholds).recoveryMs).toBe(Infinity)
  })

  it("lets a scenario's own criteria decide what passes, and says which were not met", () => {
    const record = runOf('default', 1)
    const criterion = { name: 'attempts', wanted: 'at most 1.1', got: '1.4' }
    const criteria = [
      { name: 'plateau', wanted: 'at least 0.9', got: '1', holds: true },
      { ...criterion, holds: false },
    ]
    const run = summariseRun(record, judge(record), thresholds, criteria)
    const together = [{ name: 'all', wanted: '30 of 30', got: '29', holds: false }]
    const policy = summarisePolicy('default', [run, run], thresholds, { together })
    expect(policy).toMatchObject({ passRatio: 0, verdict: { name: 'HOLDS' }, unmet: [{ ...criterion, runs: 2 }] })
    const one = { ...summary, policies: [policy] }
    expect(scenarioTable(one)).toContain('  not met in 2 of 2 runs: attempts: wanted at most 1.1, got 1.4\n')
    expect(scenarioTable(one)).toContain('  not met by the runs together: all: wanted 30 of 30, got 29')
    expect(scenarioPage(one)).toContain('<p>Not met in 2 of 2 runs: attempts: wanted at most 1.1, got 1.4.</p>')
    expect(scenarioJson(one).policies.default?.unmet).toHaveLength(2)
    expect(summariseRun(record, judge(record), thresholds, []).passed).toBe(true)
  })

  it('shows the first run that is like the whole', () => {
    const runs = seeds.map((seed) => {
      const record = runOf(seed === 1 ? 'unprotected' : 'default', seed)
      return summariseRun(record, judge(record), thresholds)
    })
    expect(exampleSeed(summarisePolicy('default', runs, thresholds))).toBe(2)
    expect(exampleSeed(summarisePolicy('default', [], thresholds))).toBeUndefined()
  })
})

describe('the page of a scenario', () => {
  const page = scenarioPage(summary, [
    { policy: 'unprotected', cells: [{ baseMultiple: 0.7, triggerMs: 150, stuck: 19, runs: 24 }] },
  ])

  it('refers to nothing outside itself and runs no script', () => {
    expect(page).not.toMatch(/<script|<link|<img|@import|url\(|https?:/)
  })

  it('shows what is asked of it in text too', () => {
    for (const words of [
      'Spike with &lt;retries&gt;',
      'goodput',
      'attempts',
      'METASTABLE',
      '19/24',
      'p99 of refusals',
      'bounded waits',
    ]) {
      expect(page).toContain(words)
    }
    expect(page).not.toContain('<retries>')
  })

  it('draws four pictures per policy, with numbers that are numbers', () => {
    expect(page.match(/<svg /g)).toHaveLength(9)
    expect(page).not.toMatch(/NaN|Infinity|undefined/)
  })

  it('is the same for the same runs', () => {
    expect(scenarioPage(summary)).toBe(scenarioPage(summary))
  })

  it('does not grow with the length of the run', () => {
    const fine = { ...summary, policies: [summarised('default', [1], 10)] }
    expect(scenarioPage(fine).length).toBeLessThan(150_000)
  })

  it('is drawn for a run without intervals too', () => {
    const policy = { ...summarised('default', [1]), example: recordOf([]) }
    expect(scenarioPage({ ...summary, policies: [policy] })).not.toMatch(/NaN|Infinity/)
  })

  it('can be the tipping-point picture alone', () => {
    const cells = [0, 12, 24].map((stuck, i) => ({ baseMultiple: 0.5, triggerMs: 100 * (i + 1), stuck, runs: 24 }))
    const alone = tippingPage('Tipping points', [{ policy: 'unprotected', cells }])
    for (const shade of ['stuck-0', 'stuck-3', 'stuck-6']) expect(alone).toContain(`class="${shade}"`)
    expect(alone).toContain('At 0.5× the capacity, a trigger of 0.2 s takes down 12 of 24 runs for good (50 %).')
  })
})

describe('columns', () => {
  it('average rates and keep peaks', () => {
    const record = recordOf([
      {
        name: 'stress',
        seconds: 10,
        at: (second) => ({ offeredPerS: 100, goodPerS: 100, queue: second === 3 ? 50 : 0 }),
      },
    ])
    const columns = columnsOf(record, 2)
    expect(columns.map(({ fromMs, toMs, offeredPerS, queue }) => ({ fromMs, toMs, offeredPerS, queue }))).toEqual([
      { fromMs: 0, toMs: 5000, offeredPerS: 100, queue: 50 },
      { fromMs: 5000, toMs: 10_000, offeredPerS: 100, queue: 0 },
    ])
    expect(reasonsOf(columns)).toEqual([])
  })

  it('list reasons by how often they were given', () => {
    const record = recordOf([steady('stress', 2, 2)])
    const intervals = record.intervals.map((each) => ({
      ...each,
      rejectedByReason: { deadline: 1, capacity: 399, shed: 0 },
    }))
    expect(reasonsOf(columnsOf({ ...record, intervals }))).toEqual(['capacity', 'deadline'])
  })
})

describe('the table of the tick model', () => {
  it('has the published digits', () => {
    const lines = tickText(tickTable(), tickExercises()).split('\n')
    expect(lines[0]).toBe('policy          before  spike  after  long after  wasted  rejected  peak queue')
    expect(lines[1]).toBe('unbounded FIFO    80.4   24.5    0.0         0.0   23776         0       21213')
    expect(lines[4]).toBe('bounded + shed    80.4  100.0   83.6        82.0       0      5294         250')
    expect(lines.some((line) => line.startsWith('unbounded FIFO without retry') && line.endsWith('tick 225'))).toBe(
      true,
    )
  })
})

describe('a comparison', () => {
  const [a, b] = summary.policies as [PolicySummary, PolicySummary]
  const pair = { of: 'S07', a: b, b: a }

  it('takes differences seed by seed', () => {
    expect(goodputDifference(pair)).toEqual({ mean: 1, bounds: { low: 1, high: 1 } })
    expect(goodputDifference({ ...pair, a: { ...b, runs: [] } })).toBeUndefined()
  })

  it('shows both rows and says what the difference is worth', () => {
    const lines = comparisonTable(['unprotected', 'default'], [pair]).split('\n')
    expect(lines[1]).toMatch(/^S07 +unprotected +0 +0 %/)
    expect(lines[2]).toMatch(/^ +default +400 +100 %/)
    expect(lines.at(-1)).toBe('S07: default serves 100 % of the capacity more than unprotected.')
  })

  it('says when chance alone explains it', () => {
    expect(comparisonTable(['default', 'default'], [{ of: 'S07', a, b: a }])).toContain('chance does not explain')
  })

  it('has the same numbers as JSON', () => {
    expect(comparisonJson(['unprotected', 'default'], [pair])).toMatchObject({
      a: 'unprotected',
      b: 'default',
      pairs: [{ of: 'S07', goodputRatioDifference: 1, a: { verdict: 'METASTABLE' }, b: { verdict: 'HOLDS' } }],
    })
  })
})

describe('the page of several scenarios', () => {
  it('has an overview that leads to each', () => {
    const page = cataloguePage('All scenarios', [summary, { ...summary, scenario: 'S08' }])
    expect(page).toContain('<a href="#S08">S08 Spike with &lt;retries&gt;</a>')
    expect(page).toContain('<section id="S08">')
    expect(page).not.toMatch(/<script|https?:|NaN|Infinity/)
  })
})
