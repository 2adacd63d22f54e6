// How the demo writes numbers and what it says about a run, in one place for the terminal and the page.

import { type Phase, windowsOf } from './plan.ts'
import type { RunRecord } from './record.ts'
import type { ServiceSummary, Summary, WindowSummary } from './summary.ts'
import { bars, type Verdict } from './verdict.ts'

export const dash = '–'

export function perS(value: number): string {
  return value >= 100 || Number.isInteger(value) ? value.toFixed(0) : value.toFixed(1)
}

export function ms(value: number | null): string {
  if (value === null) return dash
  return value < 10 ? `${value.toFixed(1)} ms` : `${value.toFixed(0)} ms`
}

export function times(ratePerS: number, capacityPerS: number): string {
  return `${(ratePerS / capacityPerS).toFixed(1)} ×`
}

/** The run in two or three sentences: what the load was, what each service made of it, and whether it came back. */
export function headline(record: RunRecord, summary: Summary): string {
  const planned = windowsOf(record.plan)
  const peakRate = Math.max(...planned.map((window) => window.ratePerS))
  const peak = planned.findLastIndex((window) => window.ratePerS === peakRate)
  const { unprotected, protected: gated } = summary.services
  return [
    `At ${times(peakRate, summary.capacity)} its capacity of ${perS(summary.capacity)}/s,`,
    `the protected service served ${served(gated.windows[peak]!, summary)}`,
    `and the unprotected one ${served(unprotected.windows[peak]!, summary)}.`,
    `After the load had fallen, the protected service ${cameBack(gated, record)}; the unprotected one ${cameBack(unprotected, record)}.`,
  ].join(' ')
}

export function verdictSentence(verdict: Verdict): string {
  switch (verdict.status) {
    case 'HOLDS':
      return `HOLDS: ${barsInWords()}.`
    case 'DOES NOT HOLD':
      return `DOES NOT HOLD: ${verdict.problems.join('; ')}.`
    case 'INVALID':
      return `INVALID: ${verdict.problems.join(' ')} Nothing here says anything about the services; run it again.`
    case 'REPORTED':
      return 'REPORTED: this resource has no bar yet; the numbers are shown as they are.'
  }
}

export function barsInWords(): string {
  return [
    `goodput of ${bars.goodputShareMin * 100} % of capacity or more in every overload`,
    `p99 of successes up to ${bars.p99MaxMs} ms`,
    `p99 of refusals up to ${bars.rejectP99MaxMs} ms`,
    'no timeouts',
    'no work for the gone',
    `full service within ${bars.recoveryMaxS} s of the load falling`,
  ].join(', ')
}

export function recovery(seconds: number | null): string {
  return seconds === null ? 'never' : `${seconds} s`
}

export function phaseLabel(phase: Phase, capacityPerS: number): string {
  return `${phase.ratePerS}/s · ${times(phase.ratePerS, capacityPerS)}`
}

function served(window: WindowSummary, summary: Summary): string {
  const share = ((window.goodputPerS / summary.capacity) * 100).toFixed(0)
  const slowest = window.p99Ms === null ? '' : `, p99 ${ms(window.p99Ms)}`
  return `${perS(window.goodputPerS)}/s (${share} % of capacity${slowest})`
}

function cameBack(service: ServiceSummary, record: RunRecord): string {
  if (service.recoveryS === 0) return 'was at full service at once'
  if (service.recoveryS !== null) return `was at full service again within ${service.recoveryS} s`
  const last = record.plan.phases.at(-1)!
  const seconds = (last.toMs - last.fromMs) / 1000
  const goodputPerS = service.windows.at(-1)!.goodputPerS
  return `had not come back ${seconds} s later (${perS(goodputPerS)}/s of ${last.ratePerS}/s)`
}
