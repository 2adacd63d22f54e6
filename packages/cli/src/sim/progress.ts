// Tells on stderr how far a long command is. On a terminal one line is written over; elsewhere, in a log of CI, a line is
// added every few seconds. What is over in a moment says nothing.

import type { Io } from '../io.ts'

const quietMs = 400
const liveEveryMs = 100
const logEveryMs = 5000

export class Progress {
  readonly #io: Io
  readonly #label: string
  readonly #total: number
  readonly #nowMs: () => number
  readonly #startedMs: number
  #done = 0
  #shownMs = 0
  #width = 0

  constructor(io: Io, label: string, total: number, nowMs: () => number = () => performance.now()) {
    this.#io = io
    this.#label = label
    this.#total = total
    this.#nowMs = nowMs
    this.#startedMs = nowMs()
  }

  /** One more is done. */
  step(): void {
    this.#done++
    const nowMs = this.#nowMs()
    const elapsedMs = nowMs - this.#startedMs
    const every = this.#io.live ? liveEveryMs : logEveryMs
    const isDue = elapsedMs >= (this.#io.live ? quietMs : logEveryMs) && nowMs - this.#shownMs >= every
    if (!isDue || this.#done === this.#total) return
    this.#shownMs = nowMs
    const leftS = Math.ceil((elapsedMs * (this.#total - this.#done)) / this.#done / 1000)
    this.#show(`${this.#label}: ${this.#done} of ${this.#total} runs, about ${leftS} s left`)
  }

  /** Takes the line away, so that what comes next stands alone. */
  end(): void {
    if (this.#width > 0) this.#io.err(`\r${' '.repeat(this.#width)}\r`)
    this.#width = 0
  }

  #show(text: string): void {
    if (!this.#io.live) {
      this.#io.err(`${text}\n`)
      return
    }
    this.#io.err(`\r${text.padEnd(this.#width)}`)
    this.#width = text.length
  }
}
