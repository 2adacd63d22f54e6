// The semaphore that everyone writes by hand before reaching for a library: a counter and a queue of resolvers. A freed
// slot goes to the oldest waiter. No bound, no deadline, no reason, no clock.

import { type Contender, WAITING } from '../contender.ts'

class FifoSemaphore {
  #free: number
  // Those in [#head, length) wait, oldest first.
  #waiting: (() => void)[] = []
  #head = 0

  constructor(limit: number) {
    this.#free = limit
  }

  acquire(): Promise<void> {
    if (this.#free > 0) {
      this.#free--
      return Promise.resolve()
    }
    return new Promise((resolve) => this.#waiting.push(resolve))
  }

  release(): void {
    if (this.#head === this.#waiting.length) {
      this.#free++
      return
    }
    const next = this.#waiting[this.#head++]
    if (this.#head > 1024 && this.#head * 2 > this.#waiting.length) {
      this.#waiting = this.#waiting.slice(this.#head)
      this.#head = 0
    }
    next?.()
  }
}

export function fifoSemaphore(): Contender {
  return callerOf(new FifoSemaphore(10))
}

export function fifoSemaphoreWaiting(): Contender {
  return { ...callerOf(new FifoSemaphore(1)), callers: WAITING + 1 }
}

function callerOf(semaphore: FifoSemaphore): Contender {
  return {
    async caller(times) {
      for (let i = 0; i < times; i++) {
        await semaphore.acquire()
        semaphore.release()
      }
    },
  }
}
