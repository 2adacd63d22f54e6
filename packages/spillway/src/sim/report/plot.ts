// What all pictures over time share: one frame, one time axis with the phases shaded and named, labels beside the lines they
// belong to, and the numbers of each moment under the pointer.

import type { Phase, RunRecord } from '../../verdict/run-record.ts'
import { roleOf } from '../../verdict/series.ts'
import { three, times } from '../../verdict/words.ts'
import type { Column } from './columns.ts'
import { type Box, escapeXml, line, linear, rect, type Scale, text, ticksUpTo } from './svg.ts'

export const width = 720
const height = 262
export const frame: Box = { left: 52, top: 30, width: 536, height: 186 }
export const bottom = frame.top + frame.height
export const right = frame.left + frame.width

// Pointing reads at most this many moments; more would be narrower than a pointer.
const HOVERS_MAX = 60
const LABEL_APART = 15
// A character of the labels is about this wide.
const CHARACTER = 6.2

export interface Plot {
  readonly record: RunRecord
  readonly columns: readonly Column[]
  readonly x: Scale
}

export interface Label {
  readonly words: string
  readonly className: string
  readonly y: number
}

export function plotOf(record: RunRecord, columns: readonly Column[]): Plot {
  const endMs = Math.max(columns.at(-1)?.toMs ?? 0, record.phases.at(-1)?.toMs ?? 0, 1)
  return { record, columns, x: linear(0, endMs, frame.left, right) }
}

/** A picture over time: shading below, then the grid, the parts, and the hover bands on top. */
export function picture(
  plot: Plot,
  title: string,
  scale: Scale,
  most: number,
  parts: readonly string[],
  says: Says,
): string {
  return [
    `<svg viewBox="0 0 ${width} ${height}" class="plot" role="img" aria-label="${escapeXml(title)}">`,
    shading(plot),
    ticksUpTo(most, scale)
      .map((tick) => gridLine(scale(tick), three(tick)))
      .join(''),
    text(frame.left - 40, 16, title, 'strong'),
    ...parts,
    timeAxis(plot),
    hovers(plot, says),
    '</svg>',
  ].join('')
}

/** What is read out at a moment. */
export type Says = (column: Column) => readonly string[]

/** Words beside the ends of lines, moved apart where they would lie on each other. */
export function sideLabels(labels: readonly Label[]): string {
  const sorted = labels.toSorted((a, b) => a.y - b.y)
  const placed: number[] = []
  for (const { y } of sorted) placed.push(Math.max(y, (placed.at(-1) ?? -Infinity) + LABEL_APART))
  // What was pushed below the frame pushes the others up again.
  for (let i = placed.length - 1, most = bottom; i >= 0; i--) {
    placed[i] = Math.min(placed[i] as number, most)
    most = (placed[i] as number) - LABEL_APART
  }
  return sorted.map(({ words, className }, i) => text(right + 8, (placed[i] as number) + 4, words, className)).join('')
}

/** The centre of a column. */
export function middle({ x }: Plot, { fromMs, toMs }: Column): number {
  return x((fromMs + toMs) / 2)
}

function shading({ record, x }: Plot): string {
  return record.phases
    .map((phase) => {
      const box = {
        left: x(phase.fromMs),
        top: frame.top,
        width: x(phase.toMs) - x(phase.fromMs),
        height: frame.height,
      }
      return rect(box, roleOf(phase) === 'stress' ? 'shade-stress' : 'shade', phaseWords(phase))
    })
    .join('')
}

function timeAxis({ record, x }: Plot): string {
  const endS = (record.phases.at(-1)?.toMs ?? 0) / 1000
  const everyS = [1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1800, 3600].find((step) => endS / step <= 12) ?? 7200
  const ticks: string[] = []
  for (let atS = 0; atS <= endS; atS += everyS)
    ticks.push(text(x(atS * 1000), bottom + 16, `${atS} s`, 'soft', 'middle'))
  return ticks.join('') + phaseLabels(record.phases, x)
}

/** The names of the phases where there is room for them; those of the stress come first. */
function phaseLabels(phases: readonly Phase[], x: Scale): string {
  const taken: { from: number; to: number }[] = []
  const byImportance = phases.toSorted((a, b) => Number(roleOf(b) === 'stress') - Number(roleOf(a) === 'stress'))
  return byImportance
    .map((phase) => {
      const words = phaseWords(phase)
      const half = (words.length * CHARACTER) / 2
      const at = Math.min(Math.max(x((phase.fromMs + phase.toMs) / 2), frame.left - 40 + half), right + 40 - half)
      const free = taken.every(({ from, to }) => at + half + 4 < from || at - half - 4 > to)
      if (!free) return ''
      taken.push({ from: at - half, to: at + half })
      return text(at, bottom + 33, words, roleOf(phase) === 'stress' ? 'soft strong' : 'soft', 'middle')
    })
    .join('')
}

function phaseWords({ name, multiple }: Phase): string {
  return multiple === undefined || name.includes(times(multiple)) ? name : `${name}, ${times(multiple)}`
}

function gridLine(y: number, label: string): string {
  return `${line(frame.left, y, right, y, 'grid')}${text(frame.left - 6, y + 4, label, 'soft', 'end')}`
}

function hovers({ columns, x }: Plot, says: Says): string {
  const each = Math.max(1, Math.ceil(columns.length / HOVERS_MAX))
  const bands: string[] = []
  for (let first = 0; first < columns.length; first += each) {
    const [begin, end] = [columns[first], columns[Math.min(first + each, columns.length) - 1]]
    if (begin === undefined || end === undefined) continue
    const box = { left: x(begin.fromMs), top: frame.top, width: x(end.toMs) - x(begin.fromMs), height: frame.height }
    bands.push(rect(box, 'hover', [`${three(begin.fromMs / 1000)} s`, ...says(begin)].join('\n')))
  }
  return bands.join('')
}
