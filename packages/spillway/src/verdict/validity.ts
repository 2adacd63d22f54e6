// V7 and V8: whether the run says anything at all. A generator that was late or could not send, or accounts that do not
// add up, make every other number meaningless, however good it looks.

import { fail, type Judgement, notJudged, pass } from './judgement.ts'
import type { Interval, RunRecord } from './run-record.ts'
import type { Thresholds } from './thresholds.ts'
import { ms, percent, three } from './words.ts'

// More than these few breaches are the same mistake again.
const breachesShown = 3

/** V7: the load came as planned. */
export function generatorValid(record: RunRecord, thresholds: Thresholds): Judgement {
  const offered = sum(record, (interval) => interval.offered)
  if (offered === 0) return fail('V7', 'INVALID', 'Nothing was offered, so the run shows nothing.', { offered })
  const unsentRatio = sum(record, (interval) => interval.unsent) / offered
  const latenessMaxMs = Math.max(thresholds.latenessMaxMs, thresholds.latenessDeadlineShareMax * record.deadlineMs)
  const { latenessP99Ms, generatorUtilisation, generatorErrors } = record
  const problems: string[] = []
  if (unsentRatio > thresholds.unsentRatioMax) {
    problems.push(
      `could not send ${percent(unsentRatio)} of the plan (up to ${percent(thresholds.unsentRatioMax)} is fine)`,
    )
  }
  if (latenessP99Ms !== undefined && latenessP99Ms > latenessMaxMs) {
    problems.push(`was ${ms(latenessP99Ms)} late at its p99 (up to ${ms(latenessMaxMs)} is fine)`)
  }
  if (generatorUtilisation !== undefined && generatorUtilisation > thresholds.generatorUtilisationMax) {
    const most = percent(thresholds.generatorUtilisationMax)
    problems.push(`had its event loop busy for ${percent(generatorUtilisation)} of the time (up to ${most} is fine)`)
  }
  if (generatorErrors !== undefined && generatorErrors > 0) {
    problems.push(`made ${three(generatorErrors)} socket errors of its own`)
  }
  const numbers = { offered, unsentRatio, latenessP99Ms, latenessMaxMs, generatorUtilisation, generatorErrors }
  if (problems.length > 0) return fail('V7', 'INVALID', `The generator ${problems.join(', and ')}.`, numbers)
  return pass('V7', 'The load came as planned.', numbers)
}

/** V8: every request has exactly one ending, and client and server agree on how many there were. */
export function conserved(record: RunRecord): Judgement {
  if (record.intervals.length === 0) return notJudged('V8', 'The run has no intervals.')
  const breaches = record.intervals.flatMap((interval) => {
    const ended = endings(interval)
    if (ended === interval.offered) return []
    return [`from ${ms(interval.fromMs)}: ${interval.offered} offered, ${ended} ended`]
  })
  const all = [...record.conservationErrors, ...breaches]
  const numbers = { breaches: all.length }
  if (all.length === 0) return pass('V8', 'Every request has one ending, and all accounts agree.', numbers)
  const more = all.length > breachesShown ? `; and ${all.length - breachesShown} more` : ''
  return fail('V8', 'INVALID', `Accounts do not add up: ${all.slice(0, breachesShown).join('; ')}${more}.`, numbers)
}

function endings({ good, late, rejected, failed, unsent }: Interval): number {
  return good + late + rejected + failed + unsent
}

function sum(record: RunRecord, count: (interval: Interval) => number): number {
  return record.intervals.reduce((total, interval) => total + count(interval), 0)
}
