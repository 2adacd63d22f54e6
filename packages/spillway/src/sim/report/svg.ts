// The few shapes that pictures are made of, and the scales that place them. Colours are class names, so that one picture
// serves light and dark. Written by hand rather than with a chart library: the page must stand alone, and two runs of one
// seed must give the same bytes.

export type Scale = (value: number) => number

export interface Box {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
}

export type Point = readonly [x: number, y: number]

export function linear(from: number, to: number, start: number, end: number): Scale {
  const span = to - from
  return (value) => start + (span === 0 ? 0 : (value - from) / span) * (end - start)
}

/** Zero stays zero and large values take less room: 100/s and 4000/s can both be read off one axis. */
export function squareRoot(to: number, start: number, end: number): Scale {
  return (value) => start + Math.sqrt(Math.max(0, value) / to) * (end - start)
}

/** Round values up to `most`, from the sequence 1, 2, 5, 10, that leave `apart` pixels between their labels. */
export function ticksUpTo(most: number, scale: Scale, apart = 22): number[] {
  const kept = [0]
  for (let power = 10 ** Math.floor(Math.log10(most) - 3); power <= most; power *= 10) {
    for (const step of [1, 2, 5]) {
      const tick = Number((step * power).toPrecision(3))
      const clear = Math.abs(scale(tick) - scale(kept.at(-1) as number)) >= apart
      if (tick <= most && clear) kept.push(tick)
    }
  }
  return kept
}

export function escapeXml(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;')
}

export function rect({ left, top, width, height }: Box, className: string, title?: string): string {
  const shape = `x="${px(left)}" y="${px(top)}" width="${px(width)}" height="${px(height)}" class="${className}"`
  return title === undefined ? `<rect ${shape}/>` : `<rect ${shape}><title>${escapeXml(title)}</title></rect>`
}

export function line(x1: number, y1: number, x2: number, y2: number, className: string): string {
  return `<line x1="${px(x1)}" y1="${px(y1)}" x2="${px(x2)}" y2="${px(y2)}" class="${className}"/>`
}

export function text(x: number, y: number, words: string, className = '', anchor = 'start'): string {
  return `<text x="${px(x)}" y="${px(y)}" text-anchor="${anchor}" class="${className}">${escapeXml(words)}</text>`
}

/** A line through the points, broken where there is none. A point without neighbours is a short dash. */
export function curve(points: readonly (Point | undefined)[], className: string): string {
  let path = ''
  points.forEach((point, i) => {
    if (point === undefined) return
    const begins = points[i - 1] === undefined
    path += `${begins ? 'M' : 'L'}${px(point[0])} ${px(point[1])}`
    if (begins && points[i + 1] === undefined) path += `h3`
  })
  return path === '' ? '' : `<path d="${path}" class="${className}"/>`
}

/** The area between two lines over the same x. */
export function area(upper: readonly Point[], lower: readonly Point[], className: string, title?: string): string {
  const path = [...upper, ...lower.toReversed()].map(([x, y], i) => `${i === 0 ? 'M' : 'L'}${px(x)} ${px(y)}`).join('')
  const inner = title === undefined ? '' : `<title>${escapeXml(title)}</title>`
  return `<path d="${path}Z" class="${className}">${inner}</path>`
}

export function px(value: number): string {
  return String(Math.round(value * 10) / 10)
}
