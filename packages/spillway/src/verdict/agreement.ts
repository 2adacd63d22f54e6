// V12: whether a live run and its simulation say the same. Where they do not, one of the two is wrong about the service,
// and a plan tuned in the simulator may not hold. It is a warning: the live verdict stands on its own.

import { fail, type Judgement, notJudged, pass } from './judgement.ts'
import { measuresOf } from './measures.ts'
import type { RunRecord } from './run-record.ts'
import type { Thresholds } from './thresholds.ts'
import { ms, perS } from './words.ts'

export function agrees(live: RunRecord, simulated: RunRecord, thresholds: Thresholds): Judgement {
  const [lived, modelled] = [measuresOf(live, thresholds), measuresOf(simulated, thresholds)]
  const { agreementMs, agreementRecoveryMs } = thresholds
  const measured = [
    { what: 'goodput', live: lived.goodputPerS, model: modelled.goodputPerS, allowed: 0, words: perS },
    { what: 'p99', live: lived.p99Ms, model: modelled.p99Ms, allowed: agreementMs, words: ms },
    { what: 'recovery', live: lived.recoveryMs, model: modelled.recoveryMs, allowed: agreementRecoveryMs, words: ms },
  ]
  const compared = measured.flatMap(({ what, live: real, model, allowed, words }) => {
    if (real === undefined && model === undefined) return []
    return [{ what, real, model, words, close: isClose(real, model, allowed, thresholds.agreementRatioMax) }]
  })
  if (compared.length === 0) return notJudged('V12', 'The two runs have no number in common.')
  const numbers = Object.fromEntries(
    compared.flatMap(({ what, real, model }) => [
      [`${what}Live`, finite(real)],
      [`${what}Simulated`, finite(model)],
    ]),
  )
  const apart = compared.filter(({ close }) => !close)
  if (apart.length === 0) return pass('V12', 'The live run and the simulated one agree.', numbers)
  const parts = apart.map(({ what, real, model, words }) => {
    return `${what} is ${real === undefined ? 'unknown' : words(real)} live and ${model === undefined ? 'unknown' : words(model)} simulated`
  })
  return fail('V12', 'MODEL-DRIFT', `The model and the service disagree: ${parts.join('; ')}.`, numbers)
}

function isClose(live: number | undefined, model: number | undefined, allowed: number, ratio: number): boolean {
  // Only one of them has the number, or only one of them ever came back.
  if (live === undefined || model === undefined) return false
  if (live === model) return true
  if (live === Infinity || model === Infinity) return false
  return Math.abs(live - model) <= Math.max(allowed, ratio * Math.abs(live))
}

function finite(value: number | undefined): number | undefined {
  return value === Infinity ? undefined : value
}
