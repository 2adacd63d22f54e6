// What one sees while the demo runs, on stderr so that stdout stays clean: on a terminal a small table that redraws in
// place, elsewhere one line a second.

import { clearScreenDown, moveCursor } from 'node:readline'
import type { WriteStream } from 'node:tty'
import { styleText } from 'node:util'
import type { ServiceName } from './messages.ts'
import type { Progress, Watcher } from './run.ts'
import { lastSecond, type Slice } from './series.ts'
import { ms, perS, times } from './words.ts'

const widthMin = 90
const bars = '▁▂▃▄▅▆▇█'

type Now = Slice & { readonly service: ServiceName; readonly running: number; readonly waiting: number }

export function createLiveView(stream: WriteStream): Watcher & { end(): void } {
  const inPlace = stream.isTTY === true && stream.columns >= widthMin
  return inPlace ? new Screen(stream) : new Lines(stream)
}

class Screen {
  readonly #stream: WriteStream
  #height = 0
  // The goodput of each second so far, per service.
  readonly #history: Record<ServiceName, number[]> = { unprotected: [], protected: [] }
  #seconds = 0

  constructor(stream: WriteStream) {
    this.#stream = stream
  }

  stage(sentence: string): void {
    this.end()
    this.#stream.write(`${styleText('dim', sentence, { stream: this.#stream })}\n`)
    this.#seconds = 0
  }

  progress(progress: Progress): void {
    const now = nowOf(progress)
    if (progress.elapsedMs >= (this.#seconds + 1) * 1000) {
      this.#seconds++
      for (const each of now) this.#history[each.service].push(each.goodputPerS)
    }
    const lines = this.#draw(progress, now)
    if (this.#height > 0) moveCursor(this.#stream, 0, -this.#height)
    clearScreenDown(this.#stream)
    this.#stream.write(`${lines.join('\n')}\n`)
    this.#height = lines.length
  }

  /** Leaves what is drawn where it is. */
  end(): void {
    this.#height = 0
  }

  #draw({ record, elapsedMs }: Progress, now: readonly Now[]): string[] {
    const { plan, capacityPerS } = record
    const phase = plan.phases.find(({ toMs }) => elapsedMs < toMs)
    const offered =
      phase === undefined ? 'over' : `${phase.ratePerS}/s, ${times(phase.ratePerS, capacityPerS)} capacity`
    const done = Math.min(elapsedMs / plan.durationMs, 1)
    const bar = '█'.repeat(Math.round(done * 30)).padEnd(30, '░')
    const seconds = `${(Math.min(elapsedMs, plan.durationMs) / 1000).toFixed(0)} of ${plan.durationMs / 1000} s`
    const head = ['', 'offered', 'goodput', 'p50', 'p99', 'refused', 'timeouts', 'in flight', 'waiting']
    return [
      '',
      `${bar}  ${seconds}   load ${offered}   capacity ${perS(capacityPerS)}/s`,
      '',
      this.#style('dim', row(head)),
      ...now.map((each) => this.#row(each)),
      '',
      this.#style('dim', 'goodput second by second, full height at capacity'),
      ...now.map((each) => `${each.service.padEnd(12)} ${this.#spark(each.service, capacityPerS)}`),
    ]
  }

  #row(now: Now): string {
    const text = row([
      now.service,
      `${perS(now.offeredPerS)}/s`,
      `${perS(now.goodputPerS)}/s`,
      ms(now.p50Ms),
      ms(now.p99Ms),
      `${perS(now.rejectedPerS)}/s`,
      `${perS(now.timeoutsPerS)}/s`,
      String(now.running),
      String(now.waiting),
    ])
    return this.#style(now.timeoutsPerS > 0 ? 'red' : 'green', text)
  }

  #spark(service: ServiceName, capacityPerS: number): string {
    return this.#history[service]
      .map((goodput) => bars[Math.min(bars.length - 1, Math.round((goodput / capacityPerS) * (bars.length - 1)))])
      .join('')
  }

  #style(format: 'dim' | 'red' | 'green', text: string): string {
    return styleText(format, text, { stream: this.#stream })
  }
}

class Lines {
  readonly #stream: WriteStream
  #seconds = 0

  constructor(stream: WriteStream) {
    this.#stream = stream
  }

  stage(sentence: string): void {
    this.#stream.write(`${sentence}\n`)
    this.#seconds = 0
  }

  progress(progress: Progress): void {
    if (progress.elapsedMs < (this.#seconds + 1) * 1000 || progress.elapsedMs > progress.record.plan.durationMs) return
    this.#seconds = Math.floor(progress.elapsedMs / 1000)
    const now = nowOf(progress)
    const each = now.map(
      (one) =>
        `${one.service} good ${perS(one.goodputPerS)}/s p50 ${ms(one.p50Ms)} p99 ${ms(one.p99Ms)} ` +
        `refused ${perS(one.rejectedPerS)}/s timeouts ${perS(one.timeoutsPerS)}/s in flight ${one.running} waiting ${one.waiting}`,
    )
    const offered = `${String(this.#seconds).padStart(3)} s  offered ${perS(now[0]!.offeredPerS)}/s`
    this.#stream.write(`${[offered, ...each].join('  |  ')}\n`)
  }

  end(): void {}
}

function nowOf({ record, loaded, elapsedMs, due }: Progress): Now[] {
  return loaded.map((service) => {
    const { ledger, readings } = record.twins[service]
    const { running, waiting } = readings.at(-1) ?? { running: 0, waiting: 0 }
    return { ...lastSecond(ledger, elapsedMs, due), service, running, waiting }
  })
}

function row(cells: readonly string[]): string {
  return cells.map((cell, i) => (i === 0 ? cell.padEnd(12) : cell.padStart(9))).join(' ')
}
