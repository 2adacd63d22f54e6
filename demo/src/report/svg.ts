// The few shapes that the pictures are made of. Colours are CSS variables, so that one picture serves light and dark.

export type Scale = (value: number) => number

export type Frame = {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
}

export function linear(from: number, to: number, start: number, end: number): Scale {
  return (value) => start + ((value - from) / (to - from)) * (end - start)
}

/** Zero stays zero and large values take less room: 100/s and 1000/s can both be read off one axis. */
export function squareRoot(to: number, start: number, end: number): Scale {
  return (value) => start + Math.sqrt(Math.max(0, value) / to) * (end - start)
}

export function logarithmic(from: number, to: number, start: number, end: number): Scale {
  return (value) => start + (Math.log(value / from) / Math.log(to / from)) * (end - start)
}

export function escapeXml(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;')
}

export function rect(frame: Frame, className: string, title?: string): string {
  const { left, top, width, height } = frame
  const shape = `x="${px(left)}" y="${px(top)}" width="${px(width)}" height="${px(height)}" class="${className}"`
  return title === undefined ? `<rect ${shape}/>` : `<rect ${shape}><title>${escapeXml(title)}</title></rect>`
}

export function line(x1: number, y1: number, x2: number, y2: number, className: string): string {
  return `<line x1="${px(x1)}" y1="${px(y1)}" x2="${px(x2)}" y2="${px(y2)}" class="${className}"/>`
}

export function text(x: number, y: number, words: string, className = '', anchor = 'start'): string {
  return `<text x="${px(x)}" y="${px(y)}" text-anchor="${anchor}" class="${className}">${escapeXml(words)}</text>`
}

export function circle(x: number, y: number, radius: number, className: string): string {
  return `<circle cx="${px(x)}" cy="${px(y)}" r="${radius}" class="${className}"/>`
}

/** A line through the points, broken where there is none. A point with no neighbour is drawn as a short dash. */
export function curve(points: readonly (readonly [x: number, y: number] | null)[], className: string): string {
  let path = ''
  points.forEach((point, i) => {
    if (point === null) return
    const [x, y] = point
    const begins = (points[i - 1] ?? null) === null
    path += `${begins ? 'M' : 'L'}${px(x)} ${px(y)}`
    if (begins && (points[i + 1] ?? null) === null) path += `M${px(x - 3)} ${px(y)}h6`
  })
  return `<path d="${path}" class="${className}"/>`
}

/** A line that holds each value for the whole of its slice. */
export function steps(values: readonly { from: number; to: number; at: number }[], className: string): string {
  const path = values.map(({ from, to, at }, i) => `${i === 0 ? 'M' : 'L'}${px(from)} ${px(at)}H${px(to)}`).join('')
  return `<path d="${path}" class="${className}"/>`
}

export function px(value: number): string {
  return String(Math.round(value * 10) / 10)
}

/** Moves two labels apart that would lie on each other. */
export function spread(first: number, second: number): [number, number] {
  if (Math.abs(first - second) >= labelHeight) return [first, second]
  return first >= second ? [second + labelHeight, second] : [first, first + labelHeight]
}

const labelHeight = 16
