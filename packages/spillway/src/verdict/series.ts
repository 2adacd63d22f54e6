// Reads the intervals of a run: which belong to a part of it, and what they add up to. Only whole intervals count, so that
// a phase that begins between two of them does not borrow from its neighbour.

import type { Interval, Phase, PhaseRole, RunRecord } from './run-record.ts'

const roles: readonly PhaseRole[] = ['warm-up', 'baseline', 'stress', 'cut', 'recovery']
// Interval starts are multiples of a length that need not be exact in binary.
const slackMs = 1e-6

export interface Totals {
  readonly intervals: number
  readonly seconds: number
  readonly offered: number
  readonly attempts: number
  readonly good: number
  readonly late: number
  readonly rejected: number
  readonly failed: number
  readonly unsent: number
  /** Σ min(offered, capacity) over the intervals: a service cannot store capacity. Needs a capacity. */
  readonly reachable: number
}

/** The role of a phase is how its name begins. */
export function roleOf(phase: Phase): PhaseRole | undefined {
  return roles.find((role) => phase.name === role || phase.name.startsWith(`${role} `))
}

export function phasesOf(record: RunRecord, role: PhaseRole): readonly Phase[] {
  return record.phases.filter((phase) => roleOf(phase) === role)
}

/** The intervals that lie wholly between the two instants. */
export function intervalsBetween(record: RunRecord, fromMs: number, toMs: number): readonly Interval[] {
  return record.intervals.filter(
    ({ fromMs: start }) => start >= fromMs - slackMs && start + record.intervalMs <= toMs + slackMs,
  )
}

/** Sums over a span; undefined when no whole interval lies in it. */
export function totalsBetween(
  record: RunRecord,
  fromMs: number,
  toMs: number,
  capacityPerS: number,
): Totals | undefined {
  const intervals = intervalsBetween(record, fromMs, toMs)
  return intervals.length === 0 ? undefined : totalsOf(record, intervals, capacityPerS)
}

/** Sums over a phase, its first `skipMs` left out. */
export function totalsIn(record: RunRecord, phase: Phase, skipMs = 0): Totals | undefined {
  return totalsBetween(record, phase.fromMs + skipMs, phase.toMs, phase.capacityPerS)
}

export function totalsOf(record: RunRecord, intervals: readonly Interval[], capacityPerS: number): Totals {
  const seconds = (intervals.length * record.intervalMs) / 1000
  const most = (capacityPerS * record.intervalMs) / 1000
  const totals = { offered: 0, attempts: 0, good: 0, late: 0, rejected: 0, failed: 0, unsent: 0, reachable: 0 }
  for (const interval of intervals) {
    totals.offered += interval.offered
    totals.attempts += interval.attempts
    totals.good += interval.good
    totals.late += interval.late
    totals.rejected += interval.rejected
    totals.failed += interval.failed
    totals.unsent += interval.unsent
    totals.reachable += Math.min(interval.offered, most)
  }
  return { intervals: intervals.length, seconds, ...totals }
}

/** Load of a phase as a multiple of what the service can do in it: as planned, else as measured. */
export function multipleOf(record: RunRecord, phase: Phase): number {
  if (phase.multiple !== undefined) return phase.multiple
  const totals = totalsIn(record, phase)
  return totals === undefined ? 0 : totals.offered / totals.seconds / phase.capacityPerS
}

/** The stress phase with the most load; undefined when the plan has none. */
export function hardestStress(record: RunRecord): Phase | undefined {
  return phasesOf(record, 'stress').reduce<Phase | undefined>(
    (hardest, phase) =>
      hardest === undefined || multipleOf(record, phase) > multipleOf(record, hardest) ? phase : hardest,
    undefined,
  )
}

/** End of the last stress phase, the instant from which recovery is timed. */
export function stressEnd(record: RunRecord): number | undefined {
  const ends = phasesOf(record, 'stress').map(({ toMs }) => toMs)
  return ends.length === 0 ? undefined : Math.max(...ends)
}

/** End of what was recorded. */
export function recordEnd(record: RunRecord): number {
  const last = record.intervals.at(-1)
  return last === undefined ? 0 : last.fromMs + record.intervalMs
}
