// The overall verdict, its precedence, its sentence, and the verdict over many runs.
import { describe, expect, it } from 'vitest'
import { holding, latencies, plansOf, recordOf, steady } from '../../test/run-records.ts'
import { agrees } from './agreement.ts'
import { measuresOf } from './measures.ts'
import { type VerdictName, verdictNames, worstOf } from './name.ts'
import { judgeRepeats } from './repeats.ts'
import type { RunRecord } from './run-record.ts'
import { thresholdsOf } from './thresholds.ts'
import { judge } from './verdict.ts'

const down = (more = {}) => steady('recovery', 60, 0.7, 0, more)

/** A record for each name that breaks that bar and, as far as one can, no other. */
const examples: Readonly<Record<VerdictName, RunRecord>> = {
  HOLDS: holding(),
  INVALID: holding({ latenessP99Ms: 100 }),
  METASTABLE: recordOf(plansOf(steady('stress', 2, 5), down({ attempts: 3 }))),
  COLLAPSE: recordOf(plansOf(steady('stress', 30, 10, 0.2))),
  'COLLAPSE-WITH-LOAD': recordOf([
    steady('baseline', 10, 0.7),
    steady('stress 2x', 10, 2, 1),
    steady('stress 10x', 10, 10, 0.92),
    steady('recovery', 30, 0.7),
  ]),
  UNBOUNDED: recordOf(plansOf(steady('stress', 30, 10, 1, { latePerS: 40 }))),
  'MEMORY-GROWTH': holding({ memoryIdleMb: 80, memoryPeakMb: 900 }),
  'HEALTH-SHED': holding({ healthChecks: { asked: 60, failed: 4 } }),
  DRAINING: recordOf(plansOf(steady('stress', 2, 5, 1, { queue: 12_000 }), down())),
  HYSTERESIS: recordOf([
    steady('baseline', 10, 0.7),
    steady('stress up 1x', 10, 1),
    steady('stress 5x', 10, 5),
    steady('stress down 1x', 10, 1, 0.92),
    steady('recovery', 30, 0.7),
  ]),
  SLOW: recordOf(
    plansOf(steady('stress', 2, 5), {
      name: 'recovery',
      seconds: 30,
      at: (second) => ({ offeredPerS: 280, goodPerS: second < 7 ? 0 : 280 }),
    }),
  ),
  DEGRADED: recordOf(plansOf(steady('stress', 30, 10, 0.8))),
  UNFAIR: holding({ byCriticality: [{ phase: 'stress', group: 'critical', offered: 100, good: 50 }] }),
  'EXPENSIVE-REFUSAL': holding({ refusalCostRatio: 0.3 }),
}
const thresholds = thresholdsOf({
  fairness: [{ kind: 'success', by: 'criticality', groups: ['critical'], shareMin: 0.99 }],
})

describe('the verdict', () => {
  it.each(verdictNames)('can be %s', (name) => {
    const verdict = judge(examples[name], { thresholds })
    expect(verdict.name).toBe(name)
    expect(verdict.sentence.startsWith(`${name}: `)).toBe(true)
  })

  it('says in one sentence why a service holds', () => {
    expect(judge(holding()).sentence).toBe(
      'HOLDS: at 10× its capacity it serves 100 % of what it could, 99 of 100 successes come within 180 ms of 250 ms ' +
        'allowed, 99 of 100 refusals within 1 ms, and it is back as soon as the load falls.',
    )
  })

  it('says what a spike was that is over before its goodput can be judged', () => {
    expect(judge(recordOf(plansOf(steady('stress', 2, 5)))).sentence).toMatch(
      /^HOLDS: it bears 5× its capacity for 2 s, /,
    )
  })

  it('says in one sentence why a service does not hold, and names the rest', () => {
    const { sentence } = judge(recordOf(plansOf(steady('stress', 30, 10, 0.2, { latePerS: 100 }))))
    expect(sentence).toBe(
      'COLLAPSE: In stress, at 10× its capacity, it serves 80/s, 20 % of what it could. Also UNBOUNDED.',
    )
  })

  it('prints nothing beside INVALID', () => {
    const record = { ...recordOf(plansOf(steady('stress', 30, 10, 0))), latenessP99Ms: 50 }
    const verdict = judge(record)
    expect(verdict.sentence).toBe('INVALID: The generator was 50 ms late at its p99 (up to 5 ms is fine).')
    expect(verdict.judgements.map(({ rule }) => rule)).toEqual(['V7', 'V8'])
  })

  it('does not call a run good in which nothing could be judged', () => {
    const idle = recordOf([{ name: 'calm', seconds: 10, at: () => ({ offeredPerS: 10, goodPerS: 10 }) }])
    expect(judge(idle)).toMatchObject({ name: 'INVALID' })
  })

  it('asks for the confirmation only of what looks metastable, and prints it with that', () => {
    let asked = 0
    const confirm = () => {
      asked++
      return recordOf([
        ...plansOf(steady('stress', 2, 5), down({ attempts: 3 })),
        steady('cut', 5, 0.1),
        steady('recovery after', 20, 0.7),
      ])
    }
    expect(judge(holding(), { confirm }).judgements.some(({ rule }) => rule === 'V6')).toBe(false)
    expect(asked).toBe(0)
    const verdict = judge(examples.METASTABLE, { confirm })
    expect(asked).toBe(1)
    expect(verdict.judgements.find(({ rule }) => rule === 'V6')?.verdict).toBe('pass')
    expect(verdict.sentence).toContain('what kept it down was its own doing')
  })

  it('judges the slope over runs at other loads', () => {
    const levels = [recordOf(plansOf(steady('stress', 30, 2)))]
    const record = recordOf(plansOf(steady('stress', 30, 10, 0.93)))
    expect(judge(record).name).toBe('HOLDS')
    expect(judge(record, { levels }).name).toBe('COLLAPSE-WITH-LOAD')
  })

  it('passes on the warnings of the run', () => {
    expect(judge(holding({ warnings: ['stopped at its horizon'] })).warnings).toEqual(['stopped at its horizon'])
  })

  it('orders names by how bad they are', () => {
    expect(worstOf([])).toBe('HOLDS')
    expect(worstOf(['SLOW', 'COLLAPSE', 'HOLDS'])).toBe('COLLAPSE')
    expect(worstOf(['METASTABLE', 'INVALID'])).toBe('INVALID')
  })

  it('refuses thresholds that contradict each other, all at once', () => {
    expect(() => thresholdsOf({ plateauMin: 0.4, repeatsMin: 0 })).toThrow('repeatsMin must be a whole number from 1')
    expect(() => thresholdsOf({ plateauMin: 0.4 })).toThrow('collapseBelow must be <= plateauMin (0.4), got 0.5')
  })
})

describe('V11, repeats', () => {
  const holds = judge(holding())
  const collapses = judge(examples.COLLAPSE)
  const slow = judge(examples.SLOW)
  const runs = (total: number, ...others: (typeof holds)[]) => [...others, ...Array(total - others.length).fill(holds)]

  it('gives the share of runs that hold, with its interval', () => {
    const repeated = judgeRepeats(runs(30))
    expect(repeated).toMatchObject({ name: 'HOLDS', runs: 30, holdRatio: 1, counts: { HOLDS: 30 } })
    expect(repeated.holdBounds.low).toBeCloseTo(0.886, 3)
    expect(repeated.judgement.verdict).toBe('pass')
    expect(repeated.sentence).toBe(holds.sentence)
  })

  it('goes by what more than one run in twenty is sure to suffer', () => {
    // Three of thirty may be chance (3.5 % at least), four are not (5.3 %).
    expect(judgeRepeats(runs(30, collapses, collapses, collapses)).name).toBe('HOLDS')
    const repeated = judgeRepeats(runs(30, collapses, collapses, collapses, collapses))
    expect(repeated).toMatchObject({ name: 'COLLAPSE', holdRatio: 26 / 30 })
    expect(repeated.sentence.startsWith('COLLAPSE in 4 of 30 runs: In stress,')).toBe(true)
  })

  it('adds worse names to milder ones, so that many kinds of failure do not hide each other', () => {
    expect(judgeRepeats(runs(30, collapses, collapses, slow, slow)).name).toBe('SLOW')
  })

  it('believes no proportion of too few runs, and takes the worst', () => {
    const repeated = judgeRepeats(runs(29, slow))
    expect(repeated.name).toBe('SLOW')
    expect(repeated.judgement.verdict).toBe('not judged')
    expect(judgeRepeats(runs(5, slow), thresholdsOf({ repeatsMin: 5 })).name).toBe('HOLDS')
  })

  it('is INVALID when a run lost count, or when there was none', () => {
    expect(judgeRepeats(runs(30, judge(examples.INVALID))).name).toBe('INVALID')
    expect(judgeRepeats([]).name).toBe('INVALID')
  })
})

describe('V12, agreement', () => {
  const simulated = holding()
  const live = (share: number, p99Ms: number) => {
    const record = recordOf(plansOf(steady('stress', 30, 10, share)))
    const stress = record.latencies.stress
    if (stress === undefined) throw new Error('the record has no stress phase')
    return { ...record, latencies: { ...record.latencies, stress: { ...stress, good: latencies(1, 40, p99Ms) } } }
  }

  it('bears a fifth of difference', () => {
    const usual = thresholdsOf()
    expect(agrees(live(0.84, 150), simulated, usual)).toMatchObject({ rule: 'V12', verdict: 'pass' })
    expect(agrees(live(0.83, 180), simulated, usual)).toMatchObject({ verdict: 'MODEL-DRIFT' })
    expect(agrees(live(1, 149), simulated, usual)).toMatchObject({ verdict: 'MODEL-DRIFT' })
  })

  it('warns without changing the verdict', () => {
    const verdict = judge(live(1, 100), { simulated })
    expect(verdict.name).toBe('HOLDS')
    expect(verdict.warnings[0]).toMatch(/^MODEL-DRIFT: .*p99 is 100 ms live and 180 ms simulated/)
  })

  it('sees that only one of the two came back', () => {
    expect(agrees(examples.METASTABLE, simulated, thresholdsOf()).sentence).toContain('recovery is endless')
  })
})

describe('the measures', () => {
  it('are those of the hardest stress phase, counts those of all', () => {
    const record = recordOf([
      steady('baseline', 10, 0.7),
      steady('stress 2x', 10, 2),
      steady('stress 10x', 10, 10, 0.9),
      steady('recovery', 30, 0.7),
    ])
    expect(measuresOf(record, thresholdsOf())).toMatchObject({
      goodputRatio: 0.9,
      goodputPerS: 360,
      offeredPerS: 4000,
      rejected: 10 * 400 + 10 * 3640,
      timeouts: 0,
      p99Ms: 180,
      rejectP99Ms: 1,
      recoveryMs: 0,
    })
  })

  it('have an endless recovery where there was none, and none where there was no stress', () => {
    expect(measuresOf(examples.METASTABLE, thresholdsOf()).recoveryMs).toBe(Infinity)
    expect(measuresOf(recordOf([steady('baseline', 10, 0.7)]), thresholdsOf()).recoveryMs).toBeUndefined()
  })
})
