// V3 and V9 at the edges of their bars.
import { describe, expect, it } from 'vitest'
import { holding, latencies } from '../../test/run-records.ts'
import { bounded, cheapRefusals } from './latency.ts'
import type { Latencies, RunRecord } from './run-record.ts'
import { thresholdsOf } from './thresholds.ts'

const usual = thresholdsOf()
const none = latencies(0)

function stressed(ending: { good?: Latencies; late?: Latencies; rejected?: Latencies }, rest: Partial<RunRecord> = {}) {
  const record = holding(rest)
  const stress = { good: latencies(1000, 40, 180), late: none, rejected: none, failed: none, ...ending }
  return { ...record, latencies: { ...record.latencies, stress } }
}

describe('V3, bounded waits', () => {
  it.each([
    [250, 'pass'],
    [250.1, 'UNBOUNDED'],
  ])('calls a p99 of %s ms with a deadline of 250 ms %s', (p99Ms, verdict) => {
    expect(bounded(stressed({ good: latencies(1000, 40, p99Ms) }), usual)).toMatchObject({ rule: 'V3', verdict })
  })

  it.each([
    [10, 'pass'],
    [11, 'UNBOUNDED'],
  ])('counts %s answers of a thousand that came too late or never, and calls it %s', (late, verdict) => {
    const judgement = bounded(
      stressed({ good: latencies(1000 - late, 40, 180), late: latencies(late, 250, 250) }),
      usual,
    )
    expect(judgement.verdict).toBe(verdict)
    expect(judgement.numbers.lateRatio).toBeCloseTo(late / 1000, 9)
  })

  it('takes a tighter bound than the deadline', () => {
    expect(bounded(stressed({}), thresholdsOf({ p99MaxMs: 180 })).verdict).toBe('pass')
    expect(bounded(stressed({}), thresholdsOf({ p99MaxMs: 179 })).verdict).toBe('UNBOUNDED')
  })

  it('allows the queue its budget and one service time', () => {
    const waited = stressed({}, { queueWaitMaxMs: 114, serviceP50Ms: 14 })
    expect(bounded(waited, thresholdsOf({ queueWaitMaxMs: 100 })).verdict).toBe('pass')
    expect(bounded(waited, thresholdsOf({ queueWaitMaxMs: 99 })).verdict).toBe('UNBOUNDED')
    expect(bounded(waited, usual).verdict).toBe('pass')
  })

  it('is not judged when nobody was let in', () => {
    expect(bounded(stressed({ good: none }), usual).verdict).toBe('not judged')
  })
})

describe('V9, cheap refusals', () => {
  it.each([
    [10, 3, 'pass'],
    [10.1, 3, 'EXPENSIVE-REFUSAL'],
    [42, 14, 'pass'],
    [42.1, 14, 'EXPENSIVE-REFUSAL'],
  ])('calls a p99 of refusals of %s ms beside a service time of %s ms %s', (p99Ms, serviceP50Ms, verdict) => {
    const record = stressed({ rejected: latencies(1000, 1, p99Ms) }, { serviceP50Ms })
    expect(cheapRefusals(record, usual)).toMatchObject({ rule: 'V9', verdict })
  })

  it.each([
    [0.05, 'pass'],
    [0.051, 'EXPENSIVE-REFUSAL'],
  ])('calls a refusal that costs %s of a success %s', (refusalCostRatio, verdict) => {
    expect(cheapRefusals(stressed({}, { refusalCostRatio }), usual).verdict).toBe(verdict)
  })

  it('goes by the calm latency where the service time is not known', () => {
    const record = stressed({ rejected: latencies(1000, 1, 120) }, { serviceP50Ms: undefined })
    expect(cheapRefusals(record, usual)).toMatchObject({
      verdict: 'pass',
      numbers: { serviceP50Ms: 40, p99MaxMs: 120 },
    })
  })

  it('is not judged when nothing was refused and no cost was measured', () => {
    expect(cheapRefusals(stressed({}), usual).verdict).toBe('not judged')
  })
})
