// V5 and V6: metastable, draining, or merely slow.
import { describe, expect, it } from 'vitest'
import { type PhasePlan, plansOf, recordOf, type Shape, steady } from '../../test/run-records.ts'
import { confirmed, notMetastable } from './metastable.ts'
import type { RunRecord } from './run-record.ts'
import { thresholdsOf } from './thresholds.ts'

const usual = thresholdsOf()

/** Stress that leaves a backlog, then seconds at 280/s in which nothing is good until `backAfterS`. */
function down(
  seconds: number,
  more: Partial<Shape> & { backlog?: number; backAfterS?: number },
  rest: Partial<RunRecord> = {},
) {
  const { backlog = 0, backAfterS = Infinity, ...shape } = more
  const at = (second: number) => ({ offeredPerS: 280, goodPerS: second < backAfterS ? 0 : 280, ...shape })
  const recovery: PhasePlan = { name: 'recovery', seconds, multiple: 0.7, at }
  return recordOf(plansOf(steady('stress', 10, 10, 0, { queue: backlog }), recovery), rest)
}

describe('V5, metastable or not', () => {
  it('names retries that keep a service down', () => {
    const judgement = notMetastable(down(60, { attempts: 3, backlog: 8000 }), usual)
    expect(judgement).toMatchObject({ rule: 'V5', verdict: 'METASTABLE' })
    expect(judgement.sentence).toBe(
      'It is still down 60 s after the stress, at 0.7× its capacity, because each request is sent 3 times.',
    )
  })

  it.each([
    [1.5, 'pass'],
    [1.51, 'METASTABLE'],
  ])('takes %s attempts per request for %s', (attempts, verdict) => {
    expect(notMetastable(down(100, { attempts }), usual).verdict).toBe(verdict)
  })

  it.each([
    [0.5, 'pass'],
    [0.51, 'METASTABLE'],
  ])('takes a waste of %s for %s', (wastedRatio, verdict) => {
    expect(notMetastable(down(30, {}, { wastedRatio }), usual).verdict).toBe(verdict)
  })

  it('waits for one and a half times the predicted drain', () => {
    // 12 000 waiting, 120/s of slack: 100 s.
    const stale = { wastedRatio: 1 }
    expect(notMetastable(down(60, { backlog: 12_000 }, stale), usual)).toMatchObject({
      verdict: 'DRAINING',
      numbers: { backlog: 12_000, drainMs: 100_000, allowedMs: 150_000 },
    })
    expect(notMetastable(down(149, { backlog: 12_000 }, stale), usual).verdict).toBe('DRAINING')
    expect(notMetastable(down(150, { backlog: 12_000 }, stale), usual).verdict).toBe('METASTABLE')
  })

  it('does not wait for a drain when retries fill the queue faster than it empties', () => {
    expect(notMetastable(down(30, { attempts: 2, backlog: 12_000 }), usual).verdict).toBe('METASTABLE')
    expect(notMetastable(down(29, { attempts: 2, backlog: 12_000 }), usual).verdict).toBe('not judged')
  })

  it('calls a service metastable that came back, but only after everything it was allowed', () => {
    const sign = { wastedRatio: 1 }
    expect(notMetastable(down(60, { backAfterS: 30 }, sign), usual).verdict).toBe('pass')
    expect(notMetastable(down(60, { backAfterS: 31 }, sign), usual).verdict).toBe('METASTABLE')
  })

  it('does not judge a load that leaves no slack', () => {
    const at = (offeredPerS: number) => () => ({ offeredPerS, goodPerS: 0, attempts: 3 })
    const run = (offeredPerS: number) =>
      recordOf(plansOf(steady('stress', 10, 10), { name: 'recovery', seconds: 40, at: at(offeredPerS) }))
    expect(notMetastable(run(340), usual).verdict).toBe('METASTABLE')
    expect(notMetastable(run(341), usual).verdict).toBe('not judged')
  })

  it('leaves a run that ended early undecided', () => {
    expect(notMetastable(down(20, { attempts: 1 }), usual).verdict).toBe('not judged')
    expect(notMetastable(down(20, { backlog: 1200 }), usual).verdict).toBe('not judged')
    expect(notMetastable(down(14, { backlog: 1200 }), usual).verdict).toBe('DRAINING')
  })

  it('passes what came back', () => {
    expect(notMetastable(down(60, { backAfterS: 12 }), usual).verdict).toBe('pass')
  })
})

describe('V6, the confirmation', () => {
  const cutRun = (backAfterS: number) =>
    recordOf([
      ...plansOf(steady('stress', 2, 5, 0), steady('recovery', 30, 0.7, 0)),
      steady('cut', 5, 0.1),
      {
        name: 'recovery after',
        seconds: 20,
        at: (second) => ({ offeredPerS: 280, goodPerS: second < backAfterS ? 0 : 280 }),
      },
    ])

  it('shows a sustaining effect when a cut of the load frees the service', () => {
    expect(confirmed(cutRun(1), usual)).toMatchObject({
      rule: 'V6',
      verdict: 'pass',
      numbers: { recoveryMs: 1000, cutMs: 5000 },
    })
  })

  it('says so when not even that helps', () => {
    expect(confirmed(cutRun(Infinity), usual).verdict).toBe('METASTABLE')
  })

  it('is not judged without such a run', () => {
    expect(confirmed(undefined, usual).verdict).toBe('not judged')
    expect(confirmed(down(60, {}), usual).verdict).toBe('not judged')
  })
})
