// V1, V2 and hysteresis at the edges of their bars.
import { describe, expect, it } from 'vitest'
import { type PhasePlan, plansOf, recordOf, steady } from '../../test/run-records.ts'
import { hysteresis, plateau, slope } from './goodput.ts'
import { thresholdsOf } from './thresholds.ts'

const usual = thresholdsOf()

/** Stress at ten times the capacity with this share of it served. */
function under(share: number, stress: Partial<PhasePlan> = {}) {
  return recordOf(plansOf({ ...steady('stress', 30, 10, share), ...stress }))
}

describe('V1, the plateau', () => {
  it.each([
    [1, 'pass'],
    [0.9, 'pass'],
    [0.8975, 'DEGRADED'],
    [0.5, 'DEGRADED'],
    [0.4975, 'COLLAPSE'],
    [0, 'COLLAPSE'],
  ])('calls a goodput of %s of what could be served %s', (share, verdict) => {
    const judgement = plateau(under(share), usual)
    expect(judgement).toMatchObject({ rule: 'V1', verdict })
    expect(judgement.numbers.share).toBeCloseTo(share, 6)
  })

  it('says what it compared', () => {
    expect(plateau(under(0.5), usual).sentence).toBe(
      'In stress, at 10× its capacity, it serves 200/s, 50 % of what it could.',
    )
  })

  it('leaves out the first three seconds of the stress', () => {
    const slowStart = { at: (second: number) => ({ offeredPerS: 4000, goodPerS: second < 3 ? 0 : 400 }) }
    expect(plateau(under(1, slowStart), usual).verdict).toBe('pass')
    expect(plateau(under(1, slowStart), thresholdsOf({ settleMs: 2000 })).verdict).toBe('pass')
    expect(plateau(under(1, slowStart), thresholdsOf({ settleMs: 0 })).numbers.share).toBeCloseTo(0.9, 6)
  })

  it('asks for no more than what is offered, interval by interval', () => {
    // Two seconds of 800/s and eight of 100/s: capacity that the gaps leave unused does not serve the bursts.
    const train = (second: number) => ({
      offeredPerS: second % 10 < 2 ? 800 : 100,
      goodPerS: second % 10 < 2 ? 400 : 100,
    })
    expect(plateau(under(1, { at: train }), usual).numbers.share).toBe(1)
  })

  it('goes by the capacity of the phase, which a fault may have cut', () => {
    const halved = { ...steady('stress', 10, 1.4, 0.5), capacityPerS: 200 }
    expect(plateau(recordOf(plansOf(halved)), usual)).toMatchObject({ verdict: 'pass', numbers: { share: 1 } })
  })

  it('judges every stress phase by the worst', () => {
    const record = recordOf([steady('baseline', 10, 0.7), steady('stress 2x', 10, 2), steady('stress 5x', 10, 5, 0.6)])
    expect(plateau(record, usual)).toMatchObject({ verdict: 'DEGRADED', numbers: { multiple: 5 } })
  })

  it('does not judge a spike that is over before the bar applies', () => {
    expect(plateau(recordOf(plansOf(steady('stress', 1, 10, 0.2))), usual).verdict).toBe('not judged')
    expect(plateau(recordOf([steady('warm-up', 5, 0.5)]), usual).verdict).toBe('not judged')
  })

  it('notices a service that is already down in its baseline', () => {
    const broken = recordOf([steady('baseline', 10, 0.7, 0.1), steady('stress', 1, 10, 0.1)])
    expect(plateau(broken, usual).verdict).toBe('COLLAPSE')
  })
})

describe('V2, no slope', () => {
  const staircase = (at10: number) => recordOf([steady('stress 2x', 10, 2), steady('stress 10x', 10, 10, at10)])

  it.each([
    [1, 'pass'],
    [0.95, 'pass'],
    [0.9475, 'COLLAPSE-WITH-LOAD'],
  ])('calls %s of the goodput at twice the capacity %s', (share, verdict) => {
    expect(slope([staircase(share)], usual)).toMatchObject({ rule: 'V2', verdict })
  })

  it('compares runs of their own as it compares phases', () => {
    const runs = [2, 5, 10].map((multiple) =>
      recordOf(plansOf(steady('stress', 30, multiple, multiple === 10 ? 0.9 : 1))),
    )
    expect(slope(runs, usual)).toMatchObject({
      verdict: 'COLLAPSE-WITH-LOAD',
      numbers: { highestMultiple: 10, highestGoodputPerS: 360, referenceGoodputPerS: 400 },
    })
  })

  it('needs a level near twice the capacity, a higher one, and something served', () => {
    expect(slope([under(1)], usual).verdict).toBe('not judged')
    expect(slope([recordOf(plansOf(steady('stress', 30, 2)))], usual).verdict).toBe('not judged')
    const nothing = recordOf([steady('stress 2x', 10, 2, 0), steady('stress 10x', 10, 10, 0)])
    expect(slope([nothing], usual).verdict).toBe('not judged')
  })
})

describe('hysteresis', () => {
  const stairs = (downAtOne: number) =>
    recordOf([
      steady('stress up 0.5x', 10, 0.5),
      steady('stress up 1x', 10, 1),
      steady('stress 5x', 10, 5),
      steady('stress down 1x', 10, 1, downAtOne),
      steady('stress down 0.5x', 10, 0.5),
    ])

  it.each([
    [1, 'pass'],
    [0.95, 'pass'],
    [0.9475, 'HYSTERESIS'],
  ])('calls %s of the way up %s on the way down', (share, verdict) => {
    expect(hysteresis(stairs(share), usual)).toMatchObject({ rule: 'hysteresis', verdict })
  })

  it('is not judged where no load comes twice', () => {
    expect(hysteresis(under(1), usual).verdict).toBe('not judged')
  })
})
