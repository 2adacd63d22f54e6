// A bench's outcome for people: rows with their spread, ratios, bars.

import type { Bar, Outcome, Row } from './bench.ts'

export function outcomeText(outcome: Outcome, judged: boolean): string {
  const rows = [['', 'median ns', 'min', 'max', 'spread', 'per second', 'bytes'], ...outcome.rows.map(cellsOf)]
  const ratios = Object.entries(outcome.ratios).map(([label, ratio]) => [label, ratio.toFixed(3)])
  const parts = [aligned(rows), aligned(ratios), outcome.notes.join('\n')]
  if (outcome.bars.length > 0) parts.push(outcome.bars.map((bar) => barLine(bar, judged)).join('\n'))
  return `\n${outcome.name}\n\n${parts.filter((part) => part !== '').join('\n\n')}\n`
}

export function holds(bar: Bar): boolean {
  return bar.value <= bar.max
}

function barLine(bar: Bar, judged: boolean): string {
  const verdict = !judged ? 'not judged' : holds(bar) ? 'holds' : 'DOES NOT HOLD'
  return `${verdict}: ${bar.about}: ${bar.value} (at most ${bar.max})`
}

function cellsOf({ name, medianNs, minNs, maxNs, bytesPerOp }: Row): string[] {
  const spread = `${Math.round(((maxNs - minNs) / medianNs) * 100)} %`
  return [name, grouped(medianNs), grouped(minNs), grouped(maxNs), spread, grouped(1e9 / medianNs), grouped(bytesPerOp)]
}

function grouped(value: number): string {
  return value.toLocaleString('en', { maximumFractionDigits: value < 100 ? 1 : 0 })
}

// Names to the left, numbers to the right.
function aligned(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)))
  const line = (row: readonly string[]): string =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join('  ')
  return rows.map((row) => line(row).trimEnd()).join('\n')
}
