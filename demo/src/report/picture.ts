// Goodput against offered load, with and without: the one picture that says what the library is for. It is complete in
// itself, so it can stand in a README and follow the reader's light or dark setting.

import { type ServiceName, serviceNames } from '../messages.ts'
import type { Summary } from '../summary.ts'
import { perS } from '../words.ts'
import { circle, curve, type Frame, line, linear, logarithmic, type Scale, spread, text } from './svg.ts'
import { pictureStyle } from './theme.ts'

const width = 720
const height = 340
const frame: Frame = { left: 56, top: 44, width: 480, height: 236 }
const bottom = frame.top + frame.height
const right = frame.left + frame.width

type Point = { readonly offeredPerS: number; readonly goodputPerS: number }

/** A picture of its own, for a file: it brings its colours and names its format. */
export function goodputPicture(summary: Summary): string {
  return goodputDrawing(summary)
    .replace('<svg', `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"`)
    .replace('>', `><style>${pictureStyle}</style>`)
}

/** For a page that has the colours. Points are the last window of each rate, on the way up and after the load has fallen. */
export function goodputDrawing(summary: Summary): string {
  const { windows } = summary.services.protected
  const rates = windows.map((window) => window.offeredPerS)
  const x = logarithmic(Math.min(...rates) * 0.9, Math.max(...rates) * 1.05, frame.left, right)
  const y = linear(0, summary.capacity * 1.15, bottom, frame.top)
  const capacityY = y(summary.capacity)
  const end = (service: ServiceName) => y(pointsUp(summary, service).at(-1)!.goodputPerS)
  const [withY, withoutY] = spread(end('protected'), end('unprotected'))
  const axis = pointsUp(summary, 'protected').map(({ offeredPerS }) => offeredPerS)
  return [
    `<svg viewBox="0 0 ${width} ${height}" class="p" role="img" `,
    'aria-label="Goodput against offered load, with Spillway and without">',
    `<rect width="${width}" height="${height}" rx="8" class="surface"/>`,
    text(frame.left, 24, 'Goodput against offered load', 'strong'),
    text(right, 24, 'requests per second', 'soft', 'end'),
    ...[0, 50, 100].filter((tick) => tick < summary.capacity * 1.15).map((tick) => gridLine(y(tick), String(tick))),
    line(frame.left, capacityY, right, capacityY, 'capacity'),
    text(frame.left + 4, capacityY - 8, `capacity ${perS(summary.capacity)}/s`, 'soft'),
    ...axis.map((rate) => axisLabel(x(rate), rate, summary.capacity)),
    ...serviceNames.map((service) => branches(summary, service, x, y)),
    text(right + 10, withY + 4, 'with Spillway', 'text-protected'),
    text(right + 10, withoutY + 4, 'without', 'text-unprotected'),
    fallenLabel(summary, x, y),
    '</svg>',
  ].join('')
}

function branches(summary: Summary, service: ServiceName, x: Scale, y: Scale): string {
  const place = ({ offeredPerS, goodputPerS }: Point) => [x(offeredPerS), y(goodputPerS)] as const
  const up = pointsUp(summary, service)
  const fallen = pointFallen(summary, service)
  const dots = [...up, fallen].map((point) => circle(...place(point), 4, `dot-${service}`)).join('')
  if (staysDown(fallen)) {
    const back = curve([up.at(-1)!, fallen].map(place), `line-${service} thin`)
    return `${back}${curve(up.map(place), `line-${service}`)}${dots}`
  }
  // The way back is the way up, so it is one line.
  const all = [...up, fallen].sort((one, other) => one.offeredPerS - other.offeredPerS)
  return `${curve(all.map(place), `line-${service}`)}${dots}`
}

/** One point for each higher rate than any before, from the last window at that rate. */
function pointsUp(summary: Summary, service: ServiceName): Point[] {
  const { windows } = summary.services[service]
  const up: Point[] = []
  windows.forEach((window, i) => {
    const next = windows[i + 1]
    const sameRate = next !== undefined && similar(next.offeredPerS, window.offeredPerS)
    if (sameRate || window.offeredPerS <= (up.at(-1)?.offeredPerS ?? 0)) return
    if (up.length > 0 && similar(window.offeredPerS, up.at(-1)!.offeredPerS)) return
    up.push(window)
  })
  return up
}

function pointFallen(summary: Summary, service: ServiceName): Point {
  return summary.services[service].windows.at(-1)!
}

/** Only a service that did not come back needs its way back shown; the other's lies on its way up. */
function staysDown({ offeredPerS, goodputPerS }: Point): boolean {
  return goodputPerS < offeredPerS / 2
}

function fallenLabel(summary: Summary, x: Scale, y: Scale): string {
  const fallen = pointFallen(summary, 'unprotected')
  const down = pointsUp(summary, 'unprotected').find(({ offeredPerS }) => offeredPerS > summary.capacity)
  if (!staysDown(fallen) || down === undefined) return ''
  return text(
    x(down.offeredPerS) + 18,
    y(fallen.goodputPerS) - 10,
    'and stays down when the load falls',
    'text-unprotected',
  )
}

function axisLabel(x: number, ratePerS: number, capacityPerS: number): string {
  const ratio = ratePerS / capacityPerS
  const times = ratio >= 1.5 ? `${ratio.toFixed(0)} ×` : `${ratio.toFixed(1)} ×`
  // The plan's rate: what was drawn misses it by a few percent.
  const planned = Number(ratePerS.toPrecision(1))
  return [
    text(x, bottom + 18, `${planned}/s offered`, 'soft', 'middle'),
    text(x, bottom + 34, `${times} capacity`, 'soft', 'middle'),
  ].join('')
}

function gridLine(y: number, label: string): string {
  return `${line(frame.left, y, right, y, 'grid')}${text(frame.left - 8, y + 4, label, 'soft', 'end')}`
}

/** Poisson arrivals miss their rate a little. */
function similar(one: number, other: number): boolean {
  return one / other > 0.8 && one / other < 1.25
}
