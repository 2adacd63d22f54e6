import { expect, test } from 'vitest'
import { Ledger, percentile, reasonCode, reasons } from './ledger.ts'

const arrivals = { intendedMs: Float64Array.of(0, 10, 10, 25), critical: Uint8Array.of(0, 1, 0, 0) }

test('a caller is settled once', () => {
  const ledger = new Ledger(arrivals)
  ledger.settle(2, 'good', 50)
  expect(() => ledger.settle(2, 'timeout', 1000)).toThrow('caller 2 was settled twice')
})

test('a range holds who meant to start from its beginning up to, not including, its end', () => {
  const ledger = new Ledger(arrivals)
  expect(ledger.range(0, 10)).toEqual({ first: 0, end: 1 })
  expect(ledger.range(10, 25)).toEqual({ first: 1, end: 3 })
  expect(ledger.range(25, 100)).toEqual({ first: 3, end: 4 })
  expect(ledger.range(100, 200)).toEqual({ first: 4, end: 4 })
})

test('percentiles are values that occurred', () => {
  const hundred = Float64Array.from({ length: 100 }, (_, i) => i + 1)
  expect(percentile(hundred, 50)).toBe(50)
  expect(percentile(hundred, 99)).toBe(99)
  expect(percentile(Float64Array.of(7), 99)).toBe(7)
  expect(percentile(new Float64Array(), 50)).toBeNull()
})

test('a refusal without a reason, or with one that is not in the list, stays visible as that', () => {
  expect(reasons[reasonCode('deadline')]).toBe('deadline')
  expect(reasons[reasonCode(undefined)]).toBe('none')
  expect(reasons[reasonCode('bad mood')]).toBe('other')
})
