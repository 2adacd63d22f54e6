// V4 by the intervals, as the table says: the first instant from which five seconds in a row are good.
import { describe, expect, it } from 'vitest'
import { type PhasePlan, plansOf, recordOf, steady } from '../../test/run-records.ts'
import { recovers, recoveryOf } from './recovery.ts'
import { thresholdsOf } from './thresholds.ts'

const usual = thresholdsOf()

/** Recovery at 280/s whose good share is given second by second, and is 1 afterwards. */
function after(shares: readonly number[], seconds = 30): PhasePlan {
  const at = (second: number) => ({ offeredPerS: 280, goodPerS: 280 * (shares[Math.floor(second)] ?? 1) })
  return { name: 'recovery', seconds, multiple: 0.7, at }
}

function run(recovery: PhasePlan, intervalMs = 1000) {
  return recordOf(plansOf(steady('stress', 10, 10), recovery), {}, intervalMs)
}

describe('V4, recovery', () => {
  it.each([
    ['good from the start', [], 0, 'pass'],
    ['bad for two seconds', [0, 0], 2000, 'pass'],
    ['bad for three seconds', [0, 0, 0], 3000, 'SLOW'],
    ['bad in the fifth second', [1, 1, 1, 1, 0.5], 5000, 'SLOW'],
    ['bad in the sixth second', [1, 1, 1, 1, 1, 0.5], 0, 'pass'],
    ['just good enough', [0.95], 0, 'pass'],
    ['just not good enough', [0.9464], 1000, 'pass'],
  ])('%s', (_, shares, recoveryMs, verdict) => {
    expect(recovers(run(after(shares)), usual)).toMatchObject({ rule: 'V4', verdict, numbers: { recoveryMs } })
  })

  it('finds the moment to the interval, though it judges whole seconds', () => {
    const at = (second: number) => ({ offeredPerS: 280, goodPerS: second < 1.3 ? 0 : 280 })
    const recovery: PhasePlan = { name: 'recovery', seconds: 30, at }
    // The second from 1.3 s on is the first that is good; one of its intervals before that may be bad: 5 % of it.
    expect(recovers(run(recovery, 100), usual).numbers.recoveryMs).toBeCloseTo(1300, 6)
  })

  it('bears a bad interval in a second that is good as a whole', () => {
    const at = (second: number) => ({ offeredPerS: 300, goodPerS: Math.round(10 * second) % 10 === 0 ? 200 : 300 })
    const recovery: PhasePlan = { name: 'recovery', seconds: 30, at }
    expect(recovers(run(recovery, 100), usual).numbers.recoveryMs).toBe(0)
  })

  it('compares with what the baseline was', () => {
    const baseline = steady('baseline', 10, 0.7, 0.35)
    const plans = (share: number) => [baseline, steady('stress', 10, 10), after(Array(30).fill(share))]
    expect(recovers(recordOf(plans(0.5)), usual)).toMatchObject({ verdict: 'pass', numbers: { baseRatio: 0.5 } })
    expect(recovers(recordOf(plans(0.4643)), usual).verdict).toBe('SLOW')
  })

  it('says how long it watched when nothing came back', () => {
    const judgement = recovers(run(after(Array(30).fill(0))), usual)
    expect(judgement).toMatchObject({ verdict: 'SLOW', numbers: { observedMs: 30_000 } })
    expect(judgement.sentence).toBe('It did not come back in the 30 s after the stress.')
  })

  it('takes a second without requests for no evidence', () => {
    const quiet = (second: number) =>
      second < 3 ? { offeredPerS: 0, goodPerS: 0 } : { offeredPerS: 280, goodPerS: 280 }
    expect(recovers(run({ name: 'recovery', seconds: 30, at: quiet }), usual).numbers.recoveryMs).toBe(0)
    const silence = { name: 'recovery', seconds: 30, at: () => ({ offeredPerS: 0, goodPerS: 0 }) }
    expect(recovers(run(silence), usual).verdict).toBe('SLOW')
  })

  it('is not judged without stress, without baseline, without a baseline that worked, or when cut off', () => {
    expect(recovers(recordOf([steady('baseline', 10, 0.7)]), usual).verdict).toBe('not judged')
    const noBase = recordOf([steady('stress', 10, 10), after([])])
    expect(recovers(noBase, usual).verdict).toBe('not judged')
    expect(recovers(noBase, thresholdsOf({ baseRatio: 1 })).verdict).toBe('pass')
    const dead = recordOf([steady('baseline', 10, 0.7, 0), steady('stress', 10, 10), after([])])
    expect(recoveryOf(dead, usual)).toMatch(/nothing to come back to/)
    expect(recovers(run(after([], 4)), usual).verdict).toBe('not judged')
    expect(recovers(run(after([], 5)), usual).verdict).toBe('pass')
  })
})
