// The tipping-point picture: how long a trigger must last, on top of which load, to take a service down for good. One panel
// per policy; each field is the share of runs that stay down, with the count in it, because a share of 5 runs and one of
// 50 are not the same claim.

import { percent, three, times } from '../../verdict/words.ts'
import { escapeXml, rect, text } from './svg.ts'

export interface TippingCell {
  /** Load before and after the trigger, as a multiple of the capacity. */
  readonly baseMultiple: number
  readonly triggerMs: number
  readonly stuck: number
  readonly runs: number
}

export interface TippingPanel {
  readonly policy: string
  readonly cells: readonly TippingCell[]
}

const cell = { width: 64, height: 30, gap: 2 }
const margin = { left: 64, top: 56, right: 12, bottom: 40 }
// Shades from never to always; the first and the last are kept for exactly none and exactly all.
const SHADES = 7

export function tippingPicture(panel: TippingPanel): string {
  const triggers = distinct(panel.cells.map(({ triggerMs }) => triggerMs))
  const bases = distinct(panel.cells.map(({ baseMultiple }) => baseMultiple))
  const width = margin.left + triggers.length * cell.width + margin.right
  const height = margin.top + bases.length * cell.height + margin.bottom
  const at = ({ triggerMs, baseMultiple }: TippingCell) => ({
    left: margin.left + triggers.indexOf(triggerMs) * cell.width,
    // The highest load is on top.
    top: margin.top + (bases.length - 1 - bases.indexOf(baseMultiple)) * cell.height,
  })
  const label = `Share of runs that stay down, ${panel.policy}`
  return [
    `<svg viewBox="0 0 ${width} ${height}" width="${width}" class="plot tipping" role="img" aria-label="${escapeXml(label)}">`,
    text(margin.left - 52, 18, panel.policy, 'strong'),
    text(margin.left - 52, 36, 'runs that stay down, by load (up) and length of the trigger (across)', 'soft'),
    ...panel.cells.map((each) => field(each, at(each))),
    ...triggers.map((triggerMs, i) =>
      text(
        margin.left + (i + 0.5) * cell.width,
        height - margin.bottom + 18,
        `${three(triggerMs / 1000)} s`,
        'soft',
        'middle',
      ),
    ),
    ...bases.map((base, i) =>
      text(margin.left - 8, margin.top + (bases.length - 0.5 - i) * cell.height + 4, times(base), 'soft', 'end'),
    ),
    '</svg>',
  ].join('')
}

function field(
  { stuck, runs, baseMultiple, triggerMs }: TippingCell,
  { left, top }: { left: number; top: number },
): string {
  const share = runs === 0 ? 0 : stuck / runs
  const shade = shadeOf(share)
  const words =
    `At ${times(baseMultiple)} the capacity, a trigger of ${three(triggerMs / 1000)} s takes down ` +
    `${stuck} of ${runs} runs for good (${percent(share)}).`
  const box = {
    left: left + cell.gap / 2,
    top: top + cell.gap / 2,
    width: cell.width - cell.gap,
    height: cell.height - cell.gap,
  }
  return (
    rect(box, `stuck-${shade}`, words) +
    text(
      left + cell.width / 2,
      top + cell.height / 2 + 4,
      `${stuck}/${runs}`,
      `on-stuck-${shade >= SHADES - 2 ? 'dark' : 'light'}`,
      'middle',
    )
  )
}

function shadeOf(share: number): number {
  if (share === 0) return 0
  if (share === 1) return SHADES - 1
  return 1 + Math.min(SHADES - 3, Math.floor(share * (SHADES - 2)))
}

function distinct(values: readonly number[]): number[] {
  return [...new Set(values)].sort((a, b) => a - b)
}
