import { expect, test } from 'vitest'
import { Ledger } from './ledger.ts'
import type { Phase } from './plan.ts'
import { recoveryAfter, worstRecovery } from './recovery.ts'

// One caller every 10 ms, from 0 to 10 s. The load falls at 5 s.
const phase: Phase = { ratePerS: 100, fromMs: 5000, toMs: 10_000 }

function ledgerOf(isGood: (atMs: number) => boolean): Ledger {
  const intendedMs = Float64Array.from({ length: 1000 }, (_, i) => i * 10)
  const ledger = new Ledger({ intendedMs, critical: new Uint8Array(1000) })
  intendedMs.forEach((atMs, i) => {
    ledger.settle(i, isGood(atMs) ? 'good' : 'timeout', 50)
  })
  return ledger
}

test('a service that serves everyone from the drop on is back at once, whatever was before', () => {
  expect(
    recoveryAfter(
      ledgerOf((atMs) => atMs >= 5000),
      phase,
    ),
  ).toBe(0)
})

test('recovery is the time from the drop to the first caller of a served second', () => {
  // From 6.95 s on, the second that begins there has 5 bad callers of 100: exactly 95 % served.
  expect(
    recoveryAfter(
      ledgerOf((atMs) => atMs >= 7000),
      phase,
    ),
  ).toBeCloseTo(1.95, 6)
})

test('one bad second later on takes the recovery back', () => {
  const ledger = ledgerOf((atMs) => atMs < 8000 || atMs >= 8100)
  expect(recoveryAfter(ledger, phase)).toBeCloseTo(3.05, 6)
})

test('a few failures spread over the phase are full service still', () => {
  expect(
    recoveryAfter(
      ledgerOf((atMs) => atMs % 500 !== 0),
      phase,
    ),
  ).toBe(0)
})

test('a service that is down to the end of the phase never comes back', () => {
  expect(
    recoveryAfter(
      ledgerOf(() => false),
      phase,
    ),
  ).toBeNull()
})

test('coming back in the last half second cannot be told from luck', () => {
  expect(
    recoveryAfter(
      ledgerOf((atMs) => atMs >= 9500),
      phase,
    ),
  ).toBeNull()
})

test('over several drops the worst counts, and never is worst', () => {
  const ledger = ledgerOf((atMs) => atMs >= 7000)
  const earlier: Phase = { ratePerS: 100, fromMs: 0, toMs: 5000 }
  const later: Phase = { ratePerS: 100, fromMs: 7000, toMs: 10_000 }
  expect(worstRecovery(ledger, [later])).toBe(0)
  expect(worstRecovery(ledger, [later, phase])).toBeCloseTo(1.95, 6)
  expect(worstRecovery(ledger, [earlier, phase])).toBeNull()
  expect(worstRecovery(ledger, [])).toBe(0)
})
