// Bytes allocated by a piece of work, exactly, also when the garbage collector runs meanwhile: the growth of the heap plus
// all that was collected. V8 has no counter of allocated bytes, and a sampling profiler would only estimate.

import { GCProfiler } from 'node:v8'

export class Allocation {
  readonly #profiler = new GCProfiler()
  readonly #before: number

  constructor() {
    globalThis.gc?.()
    this.#profiler.start()
    this.#before = process.memoryUsage().heapUsed
  }

  /** Bytes allocated since it was made. */
  end(): number {
    const after = process.memoryUsage().heapUsed
    let collected = 0
    for (const { beforeGC, afterGC } of this.#profiler.stop().statistics)
      collected += beforeGC.heapStatistics.usedHeapSize - afterGC.heapStatistics.usedHeapSize
    return after - this.#before + collected
  }
}
