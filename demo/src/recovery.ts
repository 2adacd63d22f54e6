// How long a service takes to come back after load has fallen.
//
// After each drop of load, look at every span of one second that begins with a caller and ends within the phase. The
// service is back from the first caller on whose span, and every later one, is served: at least 95 % of its callers got
// a good answer. recoveryS is the time from the drop to that caller's intended start, 0 when already the first span is
// served. A phase whose last span is not served never recovers: null. Over several drops the worst counts, and null is
// worse than any number. Callers are placed by their intended start, so an answer that comes after the phase counts for
// the moment it was asked for.

import type { Ledger } from './ledger.ts'
import type { Phase } from './plan.ts'

const spanMs = 1000
const servedShare = 0.95

/** Seconds, or null for never. */
export function recoveryAfter(ledger: Ledger, phase: Phase): number | null {
  const { intendedMs } = ledger.arrivals
  const { first, end } = ledger.range(phase.fromMs, phase.toMs)
  let backFrom: number | null = first
  let good = 0
  let last = first
  for (let i = first; i < end && intendedMs[i]! + spanMs <= phase.toMs; i++) {
    for (; last < end && intendedMs[last]! < intendedMs[i]! + spanMs; last++) {
      if (ledger.outcome(last) === 'good') good++
    }
    if (good < servedShare * (last - i)) backFrom = null
    else backFrom ??= i
    if (ledger.outcome(i) === 'good') good--
  }
  if (backFrom === null) return null
  return backFrom === first ? 0 : (intendedMs[backFrom]! - phase.fromMs) / 1000
}

export function worstRecovery(ledger: Ledger, drops: readonly Phase[]): number | null {
  const all = drops.map((phase) => recoveryAfter(ledger, phase))
  return all.includes(null) ? null : Math.max(0, ...all.map((seconds) => seconds ?? 0))
}
