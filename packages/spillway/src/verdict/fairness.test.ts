// V10, and what load does to memory and to health checks.
import { describe, expect, it } from 'vitest'
import { holding } from '../../test/run-records.ts'
import { fair, maxMinParts } from './fairness.ts'
import type { FairnessRule } from './fairness-rule.ts'
import { healthKept, memoryBounded } from './footprint.ts'
import { thresholdsOf } from './thresholds.ts'

const usual = thresholdsOf()

function judged(fairness: readonly FairnessRule[], groups: Record<string, readonly [offered: number, good: number]>) {
  const counts = Object.entries(groups).map(([group, [offered, good]]) => ({ phase: 'stress', group, offered, good }))
  return fair(holding({ byCriticality: counts, byTenant: counts }), thresholdsOf({ fairness }))
}

describe('V10, fairness', () => {
  const top: FairnessRule = { kind: 'success', by: 'criticality', groups: ['critical'], shareMin: 0.99 }

  it.each([
    [990, 'pass'],
    [989, 'UNFAIR'],
  ])('promises the top class 99 %%: %s of a thousand is %s', (good, verdict) => {
    expect(judged([top], { critical: [1000, good], sheddable: [1000, 0] })).toMatchObject({ rule: 'V10', verdict })
  })

  it('lets a plan leave one tenant out of a promise to all', () => {
    const others: FairnessRule = { kind: 'success', by: 'tenant', groups: 'all', except: ['burster'], shareMin: 0.95 }
    expect(judged([others], { a: [100, 95], b: [100, 100], burster: [2000, 50] }).verdict).toBe('pass')
    expect(judged([others], { a: [100, 94], burster: [2000, 50] })).toMatchObject({
      verdict: 'UNFAIR',
      sentence: 'a is served 94 %, promised 95 %.',
    })
  })

  it('sees a class that does better than one ahead of it', () => {
    const order: FairnessRule = { kind: 'order', groups: ['critical', 'sheddable-plus', 'sheddable'], slack: 0.01 }
    expect(judged([order], { critical: [100, 99], 'sheddable-plus': [100, 50], sheddable: [100, 51] }).verdict).toBe(
      'pass',
    )
    expect(judged([order], { critical: [100, 99], 'sheddable-plus': [100, 50], sheddable: [100, 52] }).verdict).toBe(
      'UNFAIR',
    )
  })

  it('gives everyone their max-min fair part', () => {
    expect(maxMinParts([10, 20, 100], 90)).toEqual([10, 20, 60])
    expect(maxMinParts([100, 100], 90)).toEqual([45, 45])
    expect(maxMinParts([10, 20], 90)).toEqual([10, 20])
    expect(maxMinParts([], 90)).toEqual([])
    // 30 s at 400/s are 12 000.
    const part: FairnessRule = { kind: 'fair-share', by: 'tenant', shareMin: 0.9 }
    expect(judged([part], { small: [2000, 2000], burster: [60_000, 9000] }).verdict).toBe('pass')
    expect(judged([part], { small: [2000, 2000], burster: [60_000, 8999] }).verdict).toBe('UNFAIR')
  })

  it('counts the stress only', () => {
    const calm = { phase: 'baseline', group: 'critical', offered: 1000, good: 0 }
    expect(fair(holding({ byCriticality: [calm] }), thresholdsOf({ fairness: [top] })).verdict).toBe('not judged')
  })

  it('is not judged without a promise', () => {
    expect(fair(holding(), usual).verdict).toBe('not judged')
  })

  it('refuses promises that make no sense', () => {
    const wrong = [{ kind: 'success', by: 'colour', groups: 'all', shareMin: 2 }] as unknown as FairnessRule[]
    expect(() => thresholdsOf({ fairness: wrong })).toThrow('fairness must be a list of fairness rules')
  })
})

describe('the footprint', () => {
  it.each([
    [164, 'pass'],
    [164.1, 'MEMORY-GROWTH'],
  ])('calls a peak of %s MB from 100 MB at rest %s', (memoryPeakMb, verdict) => {
    expect(memoryBounded(holding({ memoryIdleMb: 100, memoryPeakMb }), usual).verdict).toBe(verdict)
  })

  it.each([
    [0, 'pass'],
    [1, 'HEALTH-SHED'],
  ])('calls %s failed health checks of 60 %s', (failed, verdict) => {
    expect(healthKept(holding({ healthChecks: { asked: 60, failed } }), usual).verdict).toBe(verdict)
  })

  it('is not judged where nothing was measured', () => {
    expect(memoryBounded(holding(), usual).verdict).toBe('not judged')
    expect(healthKept(holding(), usual).verdict).toBe('not judged')
    expect(healthKept(holding({ healthChecks: { asked: 0, failed: 0 } }), usual).verdict).toBe('not judged')
  })
})
