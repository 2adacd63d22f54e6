// The four pictures of one run: load, latency, concurrency, refusals.

import type { Phase, RunRecord } from '../../verdict/run-record.ts'
import { ms, perS, three } from '../../verdict/words.ts'
import { type Column, columnsOf, reasonsOf } from './columns.ts'
import { bottom, frame, type Label, middle, type Plot, picture, plotOf, right, sideLabels } from './plot.ts'
import { area, curve, line, type Point, type Scale, squareRoot, text } from './svg.ts'

// Colours for so many reasons; the rarer ones share the last.
const REASON_COLOURS = 6

/** All four, ready to be put into a page. */
export function chartsOf(record: RunRecord): readonly string[] {
  const plot = plotOf(record, columnsOf(record))
  return [loadChart(plot), latencyChart(plot), concurrencyChart(plot), refusalChart(plot)]
}

/** Offered load, attempts and goodput on one axis. */
function loadChart(plot: Plot): string {
  const { record, columns } = plot
  const most =
    1.05 *
    Math.max(1, record.capacityPerS, ...columns.map((column) => Math.max(column.offeredPerS, column.attemptsPerS)))
  const y = squareRoot(most, bottom, frame.top)
  const through = (value: (column: Column) => number) =>
    columns.map((column): Point => [middle(plot, column), y(value(column))])
  const offered = through(({ offeredPerS }) => offeredPerS)
  const last = columns.at(-1)
  const labels: Label[] = [
    {
      words: `capacity ${perS(record.capacityPerS)}`,
      className: 'soft',
      y: y(record.phases.at(-1)?.capacityPerS ?? 0),
    },
    { words: 'attempts', className: 'text-attempts', y: y(last?.attemptsPerS ?? 0) },
    { words: 'goodput', className: 'text-good', y: y(last?.goodPerS ?? 0) },
    { words: 'offered', className: 'text-offered', y: y(last?.offeredPerS ?? 0) },
  ]
  const parts = [
    area(offered, floor(offered), 'fill-offered'),
    curve(offered, 'line-offered'),
    capacityLine(plot, y),
    curve(
      through(({ attemptsPerS }) => attemptsPerS),
      'line-attempts',
    ),
    curve(
      through(({ goodPerS }) => goodPerS),
      'line-good',
    ),
    sideLabels(labels),
  ]
  return picture(plot, 'Offered, attempts and goodput per second (square-root scale)', y, most, parts, (column) => [
    `offered ${perS(column.offeredPerS)}`,
    `attempts ${perS(column.attemptsPerS)}`,
    `goodput ${perS(column.goodPerS)}`,
    `late ${perS(column.latePerS)}`,
    `failed ${perS(column.failedPerS)}`,
  ])
}

/** Latency of successes: by interval where that was recorded, else the percentiles of each phase. */
function latencyChart(plot: Plot): string {
  const { record, columns } = plot
  const byInterval = columns.some(({ p99Ms }) => p99Ms !== undefined)
  const phases = record.phases.map((phase) => record.latencies[phase.name])
  const known = byInterval ? columns.map(({ p99Ms }) => p99Ms) : phases.map((each) => each?.good.p99Ms)
  const refusals = phases.map((each) => each?.rejected.p99Ms)
  const values = [...known, ...refusals].filter((value) => value !== undefined)
  const most = 1.08 * Math.max(1, record.deadlineMs, ...values)
  const y = squareRoot(most, bottom, frame.top)
  const through = (ofColumn: (column: Column) => number | undefined, ofPhase: (phase: Phase) => number | undefined) =>
    byInterval ? columnPoints(plot, y, ofColumn) : phasePoints(plot, y, ofPhase)
  const p50 = through(
    ({ p50Ms }) => p50Ms,
    ({ name }) => record.latencies[name]?.good.p50Ms,
  )
  const p99 = through(
    ({ p99Ms }) => p99Ms,
    ({ name }) => record.latencies[name]?.good.p99Ms,
  )
  const refused = phasePoints(plot, y, ({ name }) => record.latencies[name]?.rejected.p99Ms)
  const ends: readonly (readonly [words: string, className: string, points: readonly (Point | undefined)[]])[] = [
    ['p99 of successes', 'text-good', p99],
    ['p50 of successes', 'text-good', p50],
    ['p99 of refusals', 'text-refused', refused],
  ]
  const labels = ends.flatMap(([words, className, points]) => {
    const end = points.findLast((point) => point !== undefined)
    return end === undefined ? [] : [{ words, className, y: end[1] }]
  })
  const parts = [
    line(frame.left, y(record.deadlineMs), right, y(record.deadlineMs), 'bound'),
    curve(refused, 'line-refused'),
    curve(p99, 'line-good dashed'),
    curve(p50, 'line-good'),
    sideLabels([{ words: `deadline ${ms(record.deadlineMs)}`, className: 'soft', y: y(record.deadlineMs) }, ...labels]),
  ]
  const title = `Latency from the intended start, ms${byInterval ? '' : ', by phase'} (square-root scale)`
  return picture(plot, title, y, most, parts, ({ p50Ms, p99Ms, fromMs }) => {
    const phase = record.phases.find((each) => fromMs >= each.fromMs && fromMs < each.toMs)
    const of = phase === undefined ? undefined : record.latencies[phase.name]
    return [
      ...said('p50 of successes', p50Ms ?? of?.good.p50Ms, ms),
      ...said('p99 of successes', p99Ms ?? of?.good.p99Ms, ms),
      ...said('p99 of refusals', of?.rejected.p99Ms, ms),
    ]
  })
}

/** Slots in use against the limit, and what waits. */
function concurrencyChart(plot: Plot): string {
  const { columns } = plot
  const values = columns
    .flatMap(({ inFlight, limit, queue }) => [inFlight, limit, queue])
    .filter((value) => value !== undefined)
  const most = 1.08 * Math.max(1, ...values)
  const y = squareRoot(most, bottom, frame.top)
  const lines = [
    { words: 'limit', className: 'limit', points: columnPoints(plot, y, ({ limit }) => limit) },
    { words: 'waiting', className: 'queue', points: columnPoints(plot, y, ({ queue }) => queue) },
    { words: 'in flight', className: 'in-flight', points: columnPoints(plot, y, ({ inFlight }) => inFlight) },
  ]
  const labels = lines.flatMap(({ words, className, points }) => {
    const end = points.findLast((point) => point !== undefined)
    return end === undefined ? [] : [{ words, className: `text-${className}`, y: end[1] }]
  })
  const nothing = values.length === 0 ? [empty('The run does not know its concurrency.')] : []
  const parts = [
    ...lines.map(({ className, points }) => curve(points, `line-${className}`)),
    sideLabels(labels),
    ...nothing,
  ]
  return picture(
    plot,
    'In flight, limit and waiting (square-root scale)',
    y,
    most,
    parts,
    ({ inFlight, limit, queue }) => [
      ...said('in flight', inFlight, three),
      ...said('limit', limit, three),
      ...said('waiting', queue, three),
    ],
  )
}

/** Refused attempts, stacked by reason. */
function refusalChart(plot: Plot): string {
  const { columns } = plot
  const reasons = reasonsOf(columns)
  const total = ({ rejectedPerS }: Column) => Object.values(rejectedPerS).reduce((sum, rate) => sum + rate, 0)
  const most = 1.05 * Math.max(1, ...columns.map(total))
  const y: Scale = (value) => bottom - (value / most) * frame.height
  let below = columns.map(() => 0)
  const layers = reasons.map((reason, i) => {
    const above = columns.map((column, at) => (below[at] as number) + (column.rejectedPerS[reason] ?? 0))
    const points = (level: readonly number[]) =>
      columns.map((column, at): Point => [middle(plot, column), y(level[at] as number)])
    const shape = area(points(above), points(below), `fill-reason-${Math.min(i, REASON_COLOURS - 1)}`)
    below = above
    return shape
  })
  const labels = reasons.map((reason, i) => ({
    words: `■ ${reason}`,
    className: `text-reason-${Math.min(i, REASON_COLOURS - 1)}`,
    y: bottom - frame.height + 16 * (reasons.length - i),
  }))
  const parts = [...layers, sideLabels(labels), ...(reasons.length === 0 ? [empty('Nothing was refused.')] : [])]
  return picture(plot, 'Refusals per second, by reason', y, most, parts, ({ rejectedPerS }) =>
    reasons.map((reason) => `${reason} ${perS(rejectedPerS[reason] ?? 0)}`),
  )
}

/** The capacity of each phase; it steps where a fault takes some away. */
function capacityLine({ record, x }: Plot, y: Scale): string {
  const points = record.phases.flatMap(({ fromMs, toMs, capacityPerS }): Point[] => [
    [x(fromMs), y(capacityPerS)],
    [x(toMs), y(capacityPerS)],
  ])
  return curve(points, 'bound')
}

function columnPoints(plot: Plot, y: Scale, value: (column: Column) => number | undefined): (Point | undefined)[] {
  return plot.columns.map((column) => {
    const known = value(column)
    return known === undefined ? undefined : [middle(plot, column), y(known)]
  })
}

function phasePoints(
  { record, x }: Plot,
  y: Scale,
  value: (phase: Phase) => number | undefined,
): (Point | undefined)[] {
  return record.phases.flatMap((phase): (Point | undefined)[] => {
    const known = value(phase)
    return known === undefined
      ? [undefined]
      : [
          [x(phase.fromMs), y(known)],
          [x(phase.toMs), y(known)],
        ]
  })
}

function floor(points: readonly Point[]): readonly Point[] {
  return points.map(([x]) => [x, bottom])
}

function empty(words: string): string {
  return text((frame.left + right) / 2, frame.top + frame.height / 2, words, 'soft', 'middle')
}

function said(name: string, value: number | undefined, words: (value: number) => string): string[] {
  return value === undefined ? [] : [`${name} ${words(value)}`]
}
