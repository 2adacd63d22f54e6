// What long runs say on the way: on a terminal, in a log, and not at all when they are over in a moment.
import { describe, expect, it } from 'vitest'
import { Progress } from '../src/sim/progress.ts'

/** Ten runs that take so long each, and what is written meanwhile. */
function written(live: boolean, eachMs: number): string[] {
  const texts: string[] = []
  let nowMs = 0
  const io = { out: () => {}, err: (text: string) => void texts.push(text), live, signal: new AbortController().signal }
  const progress = new Progress(io, 'S07', 10, () => nowMs)
  for (let run = 0; run < 10; run++) {
    nowMs += eachMs
    progress.step()
  }
  progress.end()
  return texts
}

describe('progress', () => {
  it('says nothing of what is over in a moment', () => {
    expect(written(true, 30)).toEqual([])
    expect(written(false, 400)).toEqual([])
  })

  it('writes one line over on a terminal, and takes it away at the end', () => {
    const texts = written(true, 250)
    expect(texts[0]).toBe('\rS07: 2 of 10 runs, about 2 s left')
    expect(texts.slice(0, -1).every((text) => text.startsWith('\r') && !text.includes('\n'))).toBe(true)
    expect(texts.at(-1)).toMatch(/^\r +\r$/)
  })

  it('adds a line every five seconds to a log', () => {
    expect(written(false, 2500)).toEqual([
      'S07: 2 of 10 runs, about 20 s left\n',
      'S07: 4 of 10 runs, about 15 s left\n',
      'S07: 6 of 10 runs, about 10 s left\n',
      'S07: 8 of 10 runs, about 5 s left\n',
    ])
  })
})
