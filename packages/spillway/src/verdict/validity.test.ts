// V7 and V8: when a run says nothing.
import { describe, expect, it } from 'vitest'
import { holding, recordOf, steady } from '../../test/run-records.ts'
import { thresholdsOf } from './thresholds.ts'
import { conserved, generatorValid } from './validity.ts'

const usual = thresholdsOf()

describe('V7, the generator', () => {
  it.each([
    [1, 'pass'],
    [2, 'INVALID'],
  ])('may fail to send %s of a thousand: %s', (unsentPerS, verdict) => {
    const record = recordOf([
      { name: 'stress', seconds: 10, at: () => ({ offeredPerS: 1000, goodPerS: 400, unsentPerS }) },
    ])
    expect(generatorValid(record, usual)).toMatchObject({ rule: 'V7', verdict })
  })

  it.each([
    [5, 250, 'pass'],
    [5.1, 250, 'INVALID'],
    [2, 50, 'pass'],
    [2.1, 50, 'INVALID'],
  ])('may be %s ms late with a deadline of %s ms: %s', (latenessP99Ms, deadlineMs, verdict) => {
    expect(generatorValid(holding({ latenessP99Ms, deadlineMs }), usual).verdict).toBe(verdict)
  })

  it.each([
    [0.7, 'pass'],
    [0.71, 'INVALID'],
  ])('may have its loop busy for %s of the time: %s', (generatorUtilisation, verdict) => {
    expect(generatorValid(holding({ generatorUtilisation }), usual).verdict).toBe(verdict)
  })

  it('makes no errors of its own, and offers something', () => {
    expect(generatorValid(holding({ generatorErrors: 0 }), usual).verdict).toBe('pass')
    expect(generatorValid(holding({ generatorErrors: 1 }), usual).verdict).toBe('INVALID')
    expect(generatorValid(recordOf([steady('stress', 10, 0)]), usual).verdict).toBe('INVALID')
  })

  it('names everything that is wrong at once', () => {
    const { sentence } = generatorValid(holding({ latenessP99Ms: 12, generatorUtilisation: 0.9 }), usual)
    expect(sentence).toBe(
      'The generator was 12 ms late at its p99 (up to 5 ms is fine), and had its event loop busy for 90 % of the time (up to 70 % is fine).',
    )
  })
})

describe('V8, conservation', () => {
  it('passes when every request has one ending', () => {
    expect(conserved(holding())).toMatchObject({ rule: 'V8', verdict: 'pass' })
  })

  it('is broken by one request too many or too few, and says where', () => {
    const record = holding()
    const spoilt = record.intervals.map((interval, i) =>
      i === 25 ? { ...interval, good: interval.good + 1 } : interval,
    )
    expect(conserved({ ...record, intervals: spoilt })).toMatchObject({
      verdict: 'INVALID',
      sentence: 'Accounts do not add up: from 25 s: 4000 offered, 4001 ended.',
    })
  })

  it('is broken when client and server disagree', () => {
    const conservationErrors = ['client sent 4000, server saw 3999', 'b', 'c', 'd', 'e']
    expect(conserved(holding({ conservationErrors }))).toMatchObject({
      verdict: 'INVALID',
      sentence: 'Accounts do not add up: client sent 4000, server saw 3999; b; c; and 2 more.',
      numbers: { breaches: 5 },
    })
  })

  it('is not judged without intervals', () => {
    expect(conserved(recordOf([])).verdict).toBe('not judged')
  })
})
