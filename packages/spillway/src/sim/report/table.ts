// The same numbers for a terminal: one row per policy, then what the verdicts say.

import { percent, three } from '../../verdict/words.ts'
import type { TickExercise, TickRow } from '../tick/index.ts'
import type { PolicySummary, ScenarioSummary } from './summary.ts'

const head = [
  'policy',
  'goodput/s',
  'of capacity',
  'p50',
  'p99',
  'rejected',
  'refusal p99',
  'timeouts',
  'recovery',
  'attempts',
  'wasted',
  'verdict',
  'pass',
]

export function scenarioTable(summary: ScenarioSummary): string {
  const runs = `${summary.seeds.length} ${summary.seeds.length === 1 ? 'seed' : 'seeds'}`
  return [
    `${summary.scenario}  ${summary.title}  (${runs})`,
    ...(summary.asks === undefined ? [] : [`Pass: ${summary.asks}`]),
    '',
    ...gridOf([head, ...summary.policies.map(cellsOf)]),
    '',
    ...summary.policies.flatMap((policy) => [
      `${policy.policy}: ${policy.verdict.sentence}`,
      ...remarksOn(policy).map((remark) => `  ${remark}`),
    ]),
  ].join('\n')
}

/** Criteria that were not met, and warnings, a line each. */
export function remarksOn({ unmet, together, verdict, runs }: PolicySummary): string[] {
  return [
    ...unmet.map(
      ({ name, wanted, got, runs: count }) =>
        `not met in ${count} of ${runs.length} runs: ${name}: wanted ${wanted}, got ${got}`,
    ),
    ...together
      .filter(({ holds }) => !holds)
      .map(({ name, wanted, got }) => `not met by the runs together: ${name}: wanted ${wanted}, got ${got}`),
    ...verdict.warnings.map((warning) => `warning: ${warning}`),
  ]
}

/** The cells of a policy's row, for text and for pages. */
export function cellsOf({ policy, averages, recoveryMs, verdict, passRatio }: PolicySummary): string[] {
  return [
    policy,
    number(averages.goodputPerS.mean),
    averages.goodputRatio.mean === undefined ? '–' : percent(averages.goodputRatio.mean),
    milliseconds(averages.p50Ms.mean),
    milliseconds(averages.p99Ms.mean),
    number(averages.rejected.mean),
    milliseconds(averages.rejectP99Ms.mean),
    number(averages.timeouts.mean),
    recoveryWords(recoveryMs),
    number(averages.attemptsPerRequest.mean),
    averages.wastedRatio.mean === undefined ? '–' : percent(averages.wastedRatio.mean),
    verdict.name,
    percent(passRatio),
  ]
}

export function headOf(): readonly string[] {
  return head
}

/** The tick model's table, with the names and digits it was published with. */
export function tickText(rows: readonly TickRow[], exercises: readonly TickExercise[]): string {
  const columns = ['policy', 'before', 'spike', 'after', 'long after', 'wasted', 'rejected', 'peak queue']
  const goodput = (value: number) => value.toFixed(1)
  const cells = (row: TickRow) => [
    row.policy,
    ...[row.before, row.spike, row.after, row.longAfter].map(goodput),
    ...[row.wasted, row.rejected, row.peakQueue].map(String),
  ]
  const more = [...columns, 'reached', 'good again']
  const exerciseCells = (row: TickExercise) => [
    ...cells(row),
    goodput(row.reachedInSpike),
    row.goodAgainFromTick === null ? 'never' : `tick ${row.goodAgainFromTick}`,
  ]
  return [
    ...gridOf([columns, ...rows.map(cells)]),
    '',
    'Exercises (reached: attempts that reach the server in the spike, per tick)',
    '',
    ...gridOf([more, ...exercises.map(exerciseCells)]),
  ].join('\n')
}

/** Columns aligned: the first to the left, the others to the right. */
export function gridOf(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  return rows.map((row) =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join('  ')
      .trimEnd(),
  )
}

function number(value: number | undefined): string {
  return value === undefined ? '–' : three(value)
}

function milliseconds(value: number | undefined): string {
  return value === undefined ? '–' : `${three(value)} ms`
}

function recoveryWords(recoveryMs: number | undefined): string {
  if (recoveryMs === undefined) return '–'
  return recoveryMs === Infinity ? 'never' : `${three(recoveryMs / 1000)} s`
}
