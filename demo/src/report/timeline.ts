// The pictures over time. All share one time axis with the phases shaded; pointing at a slice shows its numbers.

import { type ServiceName, serviceNames } from '../messages.ts'
import type { RunRecord } from '../record.ts'
import { type Slice, slicesOf } from '../series.ts'
import { ms, perS, phaseLabel } from '../words.ts'
import { curve, type Frame, line, linear, px, rect, type Scale, spread, squareRoot, steps, text } from './svg.ts'

const width = 1000
const frame: Frame = { left: 58, top: 30, width: 806, height: 220 }
const bottom = frame.top + frame.height

type Timeline = {
  readonly record: RunRecord
  readonly slices: Readonly<Record<ServiceName, readonly Slice[]>>
  readonly x: Scale
}

export function timelineOf(record: RunRecord): Timeline {
  const { durationMs } = record.plan
  return {
    record,
    slices: {
      unprotected: slicesOf(record.twins.unprotected.ledger, durationMs),
      protected: slicesOf(record.twins.protected.ledger, durationMs),
    },
    x: linear(0, durationMs, frame.left, frame.left + frame.width),
  }
}

/** Offered load and the goodput of both services on one axis. */
export function goodputChart(timeline: Timeline): string {
  const { record, slices, x } = timeline
  const peak = Math.max(...slices.protected.map((slice) => slice.offeredPerS), record.capacityPerS) * 1.05
  const y = squareRoot(peak, bottom, frame.top)
  const ticks = [0, 25, 100, 250, 500, 1000].filter((tick) => tick <= peak)
  const held = (value: (slice: Slice) => number, of: ServiceName) =>
    slices[of].map((slice) => ({ from: x(slice.fromMs), to: x(slice.toMs), at: y(value(slice)) }))
  const offered = held((slice) => slice.offeredPerS, 'protected')
  const capacityY = y(record.capacityPerS)
  const ends = endsOf((service) => y(slices[service].at(-1)!.goodputPerS))
  const right = frame.left + frame.width
  return picture(bottom + 34, 'Offered load and goodput of both services over time', [
    shading(timeline, bottom),
    ticks.map((tick) => gridLine(y(tick), String(tick))).join(''),
    text(frame.left, 14, 'requests per second, square-root scale', 'soft'),
    `<path d="M${px(frame.left)} ${px(bottom)}${offered.map(({ from, to, at }) => `L${px(from)} ${px(at)}H${px(to)}`).join('')}V${px(bottom)}Z" class="offered-area"/>`,
    steps(offered, 'offered'),
    line(frame.left, capacityY, right, capacityY, 'capacity'),
    text(right + 8, capacityY - 8, `capacity ${perS(record.capacityPerS)}/s`, 'soft'),
    ...serviceNames.map((service) =>
      steps(
        held((slice) => slice.goodputPerS, service),
        `line-${service}`,
      ),
    ),
    ...serviceNames.map((service, i) => text(right + 8, ends[i]! + 8, `${service}`, `text-${service}`)),
    text(x(peakMiddle(record)), frame.top + 18, 'offered', 'text-offered', 'middle'),
    hovers(timeline, bottom),
  ])
}

/** p50 and p99 of the answers that came in time. */
export function latencyChart(timeline: Timeline): string {
  const { record, slices, x } = timeline
  const y = linear(0, record.timeoutMs * 1.08, bottom, frame.top)
  const right = frame.left + frame.width
  const through = (value: (slice: Slice) => number | null, of: ServiceName) =>
    slices[of].map((slice) => {
      const at = value(slice)
      return at === null ? null : ([x((slice.fromMs + slice.toMs) / 2), y(at)] as const)
    })
  const ends = endsOf((service) => y(slices[service].at(-1)?.p50Ms ?? 0))
  const leaveY = y(record.timeoutMs)
  return picture(bottom + 34, 'Latency of successes over time', [
    shading(timeline, bottom),
    [0, 250, 500, 750].map((tick) => gridLine(y(tick), String(tick))).join(''),
    text(frame.left, 14, 'ms from the intended start, successes only: p50 solid, p99 dashed', 'soft'),
    line(frame.left, leaveY, right, leaveY, 'capacity'),
    text(right + 8, leaveY + 4, 'callers leave at 1 s', 'soft'),
    ...serviceNames.flatMap((service) => [
      curve(
        through((slice) => slice.p99Ms, service),
        `line-${service} thin`,
      ),
      curve(
        through((slice) => slice.p50Ms, service),
        `line-${service}`,
      ),
    ]),
    text(right + 8, ends[1] - 4, 'protected', 'text-protected'),
    lastSuccess(timeline, y, ends[0] - 4),
    hovers(timeline, bottom),
  ])
}

/** Of the callers of each slice, how many were served, told no, or left unanswered. */
export function outcomeChart(timeline: Timeline, service: ServiceName): string {
  const { slices, x } = timeline
  const low = frame.top + 120
  const y = linear(0, 1, low, frame.top)
  const right = frame.left + frame.width
  const bars = slices[service].flatMap((slice) => {
    const shares: [number, string][] = [
      [slice.goodputPerS, `fill-good-${service}`],
      [slice.rejectedPerS, 'fill-refused'],
      [slice.timeoutsPerS, 'fill-timeout'],
      [slice.otherPerS, 'fill-other'],
    ]
    let below = 0
    return shares.map(([rate, className]) => {
      const share = slice.offeredPerS === 0 ? 0 : rate / slice.offeredPerS
      const top = y(below + share)
      const height = y(below) - top
      below += share
      if (height === 0) return ''
      return rect({ left: x(slice.fromMs) + 0.5, top, width: x(slice.toMs) - x(slice.fromMs) - 1, height }, className)
    })
  })
  return picture(low + 34, `What became of the callers of the ${service} service`, [
    text(frame.left, 14, `share of the callers of the ${service} service`, 'soft'),
    [0, 0.5, 1].map((tick) => gridLine(y(tick), `${tick * 100} %`)).join(''),
    ...bars,
    legend(right + 8, frame.top + 12, [
      ['served', `fill-good-${service}`],
      ['told no at once', 'fill-refused'],
      ['left unanswered', 'fill-timeout'],
    ]),
    timeAxis(timeline, low),
    hovers(timeline, low),
  ])
}

/** How many requests wait inside each service. */
export function waitingChart(timeline: Timeline): string {
  const { record, x } = timeline
  const readings = (service: ServiceName) => record.twins[service].readings.filter(({ atMs }) => atMs >= 0)
  const most = Math.max(25, ...serviceNames.flatMap((service) => readings(service).map(({ waiting }) => waiting)))
  const low = frame.top + 150
  const y = squareRoot(most * 1.05, low, frame.top)
  const right = frame.left + frame.width
  const within = ({ atMs }: { atMs: number }) => atMs <= record.plan.durationMs
  const ends = endsOf((service) => y(readings(service).filter(within).at(-1)?.waiting ?? 0))
  return picture(low + 34, 'Requests waiting inside each service', [
    shading(timeline, low),
    ticksApart([0, 10, 25, 100, 500, 1000, 2500, 5000], most, y)
      .map((tick) => gridLine(y(tick), String(tick)))
      .join(''),
    text(frame.left, 14, 'requests waiting inside the service, square-root scale', 'soft'),
    ...serviceNames.map((service) =>
      curve(
        readings(service)
          .filter(within)
          .map(({ atMs, waiting }) => [x(atMs), y(waiting)] as const),
        `line-${service}`,
      ),
    ),
    ...serviceNames.map((service, i) => text(right + 8, ends[i]! + 4, service, `text-${service}`)),
  ])
}

function picture(height: number, label: string, parts: readonly string[]): string {
  return `<svg viewBox="0 0 ${width} ${height}" class="p" role="img" aria-label="${label}">${parts.join('')}</svg>`
}

function shading(timeline: Timeline, low: number): string {
  const { record, x } = timeline
  const areas = record.plan.phases.map((phase) => {
    const className = phase.ratePerS > record.capacityPerS ? 'shade-peak' : 'shade'
    return rect(
      { left: x(phase.fromMs), top: frame.top, width: x(phase.toMs) - x(phase.fromMs), height: low - frame.top },
      className,
    )
  })
  return `${areas.join('')}${timeAxis(timeline, low)}`
}

function timeAxis({ record, x }: Timeline, low: number): string {
  const everyMs = record.plan.durationMs > 20_000 ? 5000 : 1000
  const ticks: string[] = []
  for (let atMs = 0; atMs <= record.plan.durationMs; atMs += everyMs) {
    ticks.push(text(x(atMs), low + 15, `${atMs / 1000} s`, 'soft', 'middle'))
  }
  const names = record.plan.phases.map((phase) =>
    text(x((phase.fromMs + phase.toMs) / 2), low + 30, phaseLabel(phase, record.capacityPerS), 'soft', 'middle'),
  )
  return `${ticks.join('')}${names.join('')}`
}

function gridLine(y: number, label: string): string {
  return `${line(frame.left, y, frame.left + frame.width, y, 'grid')}${text(frame.left - 8, y + 4, label, 'soft', 'end')}`
}

function hovers({ slices, x }: Timeline, low: number): string {
  return slices.protected
    .map((slice, i) => {
      const box = {
        left: x(slice.fromMs),
        top: frame.top,
        width: x(slice.toMs) - x(slice.fromMs),
        height: low - frame.top,
      }
      const lines = serviceNames.map((service) => describe(service, slices[service][i]!))
      return rect(box, 'hover', [`${slice.fromMs / 1000} s: offered ${perS(slice.offeredPerS)}/s`, ...lines].join('\n'))
    })
    .join('')
}

function describe(service: ServiceName, slice: Slice): string {
  return (
    `${service}: goodput ${perS(slice.goodputPerS)}/s, p50 ${ms(slice.p50Ms)}, p99 ${ms(slice.p99Ms)}, ` +
    `refused ${perS(slice.rejectedPerS)}/s, timeouts ${perS(slice.timeoutsPerS)}/s`
  )
}

function legend(x: number, y: number, entries: readonly (readonly [words: string, className: string])[]): string {
  return entries
    .map(([words, className], i) => {
      const at = y + i * 20
      return `${rect({ left: x, top: at - 9, width: 10, height: 10 }, className)}${text(x + 16, at, words)}`
    })
    .join('')
}

/** Names the unprotected line where it last has something to show. */
function lastSuccess({ slices, x }: Timeline, y: Scale, endY: number): string {
  const last = slices.unprotected.findLast((slice) => slice.p50Ms !== null)
  if (last?.p50Ms == null) return ''
  const isAtEnd = last === slices.unprotected.at(-1)
  return text(x(last.toMs) + 8, isAtEnd ? endY : y(last.p50Ms) + 4, 'unprotected', 'text-unprotected')
}

/** Where the labels of both lines go, in the order of the services. */
function endsOf(y: (service: ServiceName) => number): [number, number] {
  return spread(y('unprotected'), y('protected'))
}

function peakMiddle({ plan }: RunRecord): number {
  const peak = plan.phases.reduce((highest, phase) => (phase.ratePerS > highest.ratePerS ? phase : highest))
  return (peak.fromMs + peak.toMs) / 2
}

/** Those of the ticks up to `most` that leave room for their labels. */
function ticksApart(ticks: readonly number[], most: number, y: Scale): number[] {
  const kept: number[] = []
  for (const tick of ticks) {
    if (tick <= most && (kept.length === 0 || y(kept.at(-1)!) - y(tick) >= 14)) kept.push(tick)
  }
  return kept
}
