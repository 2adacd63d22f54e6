// A pool of connections whose queries take 50 ms: five slots and an endless first-in-first-out queue in front of them,
// as database drivers ship it. A timer stands for the query, so the capacity is the same on every machine: 5 ÷ 0.05 s.

import type { Resource } from './resource.ts'

const queryMs = 50

export function openPool(slots: number): Resource {
  let running = 0
  // Unbounded on purpose: this is the fault that the demo shows. Live items are [head, length).
  let waiting: (() => void)[] = []
  let head = 0

  function release(): void {
    const next = waiting[head]
    if (next === undefined) {
      running--
      return
    }
    head++
    // Shifting a long array costs more than the query it stands for. Trim once in a while instead.
    if (head > 1024) {
      waiting = waiting.slice(head)
      head = 0
    }
    next()
  }

  return {
    use() {
      return new Promise((resolve) => {
        const start = () =>
          setTimeout(() => {
            release()
            resolve()
          }, queryMs)
        if (running < slots) {
          running++
          start()
        } else {
          waiting.push(start)
        }
      })
    },
    running: () => running,
    waiting: () => waiting.length - head,
    close: async () => {},
  }
}
