// What load does to the process besides its answers: memory that grows with it, and health checks that fail under it, upon
// which an orchestrator restarts a server that was only busy.

import { fail, type Judgement, notJudged, pass } from './judgement.ts'
import type { RunRecord } from './run-record.ts'
import type { Thresholds } from './thresholds.ts'
import { percent, three } from './words.ts'

export function memoryBounded(record: RunRecord, thresholds: Thresholds): Judgement {
  const { memoryIdleMb, memoryPeakMb } = record
  if (memoryIdleMb === undefined || memoryPeakMb === undefined) return notJudged('memory', 'Memory was not measured.')
  const growthMb = memoryPeakMb - memoryIdleMb
  const numbers = { memoryIdleMb, memoryPeakMb, growthMb, growthMaxMb: thresholds.memoryGrowthMaxMb }
  const sentence = `Memory goes from ${three(memoryIdleMb)} MB at rest to ${three(memoryPeakMb)} MB.`
  return growthMb <= thresholds.memoryGrowthMaxMb
    ? pass('memory', sentence, numbers)
    : fail('memory', 'MEMORY-GROWTH', sentence, numbers)
}

export function healthKept(record: RunRecord, thresholds: Thresholds): Judgement {
  const checks = record.healthChecks
  if (checks === undefined || checks.asked === 0) return notJudged('health', 'No health checks were made.')
  const { asked, failed } = checks
  const failedRatio = failed / asked
  const numbers = { asked, failed, failedRatio, failedRatioMax: thresholds.healthFailedRatioMax }
  const sentence = `${failed} of ${asked} health checks failed${failed > 0 ? ` (${percent(failedRatio)})` : ''}.`
  return failedRatio <= thresholds.healthFailedRatioMax
    ? pass('health', sentence, numbers)
    : fail('health', 'HEALTH-SHED', sentence, numbers)
}
