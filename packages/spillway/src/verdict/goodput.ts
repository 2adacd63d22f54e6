// Rules about how much useful work is finished while more is offered than can be done: V1, V2 and hysteresis. What could be
// done is min(offered, capacity) of every interval, not of the mean: capacity that a gap left unused does not help the
// next burst, and a burst train would otherwise be measured against work that no service could do.

import { fail, type Judgement, notJudged, pass } from './judgement.ts'
import type { Phase, RunRecord } from './run-record.ts'
import { multipleOf, phasesOf, roleOf, type Totals, totalsIn } from './series.ts'
import type { Thresholds } from './thresholds.ts'
import { percent, perS, seconds, times } from './words.ts'

interface Level {
  readonly phase: Phase
  readonly multiple: number
  readonly goodputPerS: number
  /** Goodput as a share of the capacity of its phase. */
  readonly share: number
  /** Goodput as a share of what could be served: what came in by chance says nothing about the service. */
  readonly served: number
}

interface Judged {
  readonly phase: Phase
  readonly totals: Totals
  readonly multiple: number
  /** Goodput as a share of what could be served. */
  readonly share: number
}

/** V1: goodput keeps its plateau in the baseline and in every stress phase. */
export function plateau(record: RunRecord, thresholds: Thresholds): Judgement {
  const { settleMs, plateauMin, collapseBelow } = thresholds
  const judged = [...phasesOf(record, 'baseline'), ...phasesOf(record, 'stress')]
    .map((phase) => ({ phase, totals: totalsIn(record, phase, roleOf(phase) === 'stress' ? settleMs : 0) }))
    .filter((each): each is { phase: Phase; totals: Totals } => (each.totals?.reachable ?? 0) > 0)
    .map(({ phase, totals }) => ({
      phase,
      totals,
      multiple: multipleOf(record, phase),
      share: totals.good / totals.reachable,
    }))
  const stress = judged.filter(({ phase }) => roleOf(phase) === 'stress')
  const worst = judged.reduce<Judged | undefined>(
    (low, each) => (each.share < (low?.share ?? Infinity) ? each : low),
    undefined,
  )
  const holds = worst === undefined || worst.share >= plateauMin
  // What breaks the bar is told first; what keeps it is told of the hardest load.
  const told = holds
    ? stress.reduce<Judged | undefined>(
        (hard, each) => (each.multiple > (hard?.multiple ?? 0) ? each : hard),
        undefined,
      )
    : worst
  if (told === undefined) {
    return notJudged('V1', `No stress phase goes on for longer than the ${seconds(settleMs)} that are left out.`)
  }
  const { phase, multiple, totals, share } = told
  const goodputPerS = totals.good / totals.seconds
  const numbers = { share, shareMin: plateauMin, goodputPerS, multiple, capacityPerS: phase.capacityPerS }
  const sentence =
    `In ${phase.name}, at ${times(multiple)} its capacity, it serves ${perS(goodputPerS)}, ` +
    `${percent(share)} of what it could.`
  if (holds) return pass('V1', sentence, numbers)
  return fail('V1', share < collapseBelow ? 'COLLAPSE' : 'DEGRADED', sentence, numbers)
}

/** V2: the highest load is served as well as twice the capacity. The levels may be phases of one run or runs of their own. */
export function slope(records: readonly RunRecord[], thresholds: Thresholds): Judgement {
  const levels = records.flatMap((record) => levelsOf(record, thresholds))
  const reference = levels
    .filter(({ multiple }) => Math.abs(multiple - 2) <= 0.5)
    .reduce<Level | undefined>((best, level) => (closerToTwo(level, best) ? level : best), undefined)
  const highest = levels.reduce<Level | undefined>(
    (best, level) => (level.multiple > (best?.multiple ?? 0) ? level : best),
    undefined,
  )
  if (reference === undefined || highest === undefined || highest.multiple <= reference.multiple) {
    return notJudged('V2', 'There is no level at twice the capacity and a higher one to compare it with.')
  }
  if (reference.share === 0) {
    return notJudged('V2', 'At twice its capacity it serves nothing, so there is nothing left to lose with more load.')
  }
  const kept = highest.share / reference.share
  const numbers = {
    kept,
    keptMin: thresholds.slopeMin,
    highestMultiple: highest.multiple,
    highestGoodputPerS: highest.goodputPerS,
    referenceGoodputPerS: reference.goodputPerS,
  }
  const sentence =
    `At ${times(highest.multiple)} its capacity it serves ${perS(highest.goodputPerS)}, ` +
    `${percent(kept)} of what it serves at ${times(reference.multiple)}.`
  return kept >= thresholds.slopeMin
    ? pass('V2', sentence, numbers)
    : fail('V2', 'COLLAPSE-WITH-LOAD', sentence, numbers)
}

/** The way down of a staircase: each load is served as well as on the way up. */
export function hysteresis(record: RunRecord, thresholds: Thresholds): Judgement {
  const levels = levelsOf(record, thresholds)
  const top = levels.reduce((best, level, i) => (level.multiple > (levels[best]?.multiple ?? 0) ? i : best), 0)
  const pairs = levels.slice(0, top).flatMap((up) => {
    const down = levels.slice(top + 1).find(({ multiple }) => multiple === up.multiple)
    return down === undefined || up.served === 0 ? [] : [{ up, down, kept: down.served / up.served }]
  })
  if (pairs.length === 0) return notJudged('hysteresis', 'No load is offered both before and after a higher one.')
  const { up, down, kept } = pairs.reduce((worst, pair) => (pair.kept < worst.kept ? pair : worst))
  const numbers = {
    kept,
    keptMin: thresholds.hysteresisMin,
    multiple: up.multiple,
    upGoodputPerS: up.goodputPerS,
    downGoodputPerS: down.goodputPerS,
  }
  const sentence =
    `At ${times(up.multiple)} its capacity it serves ${perS(down.goodputPerS)} on the way down ` +
    `and ${perS(up.goodputPerS)} on the way up.`
  return kept >= thresholds.hysteresisMin
    ? pass('hysteresis', sentence, numbers)
    : fail('hysteresis', 'HYSTERESIS', sentence, numbers)
}

function levelsOf(record: RunRecord, { settleMs }: Thresholds): readonly Level[] {
  return phasesOf(record, 'stress').flatMap((phase) => {
    const totals = totalsIn(record, phase, settleMs)
    if (totals === undefined || totals.offered === 0) return []
    const goodputPerS = totals.good / totals.seconds
    const served = totals.reachable === 0 ? 0 : totals.good / totals.reachable
    return [
      { phase, multiple: multipleOf(record, phase), goodputPerS, share: goodputPerS / phase.capacityPerS, served },
    ]
  })
}

function closerToTwo(level: Level, than: Level | undefined): boolean {
  return than === undefined || Math.abs(level.multiple - 2) < Math.abs(than.multiple - 2)
}
