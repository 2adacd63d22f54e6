// What nothing can be faster than: the counter that every limit comes down to, the promise that every awaited form comes
// down to, and the two readings of the clock that a deadline and a service time need.

import { do_not_optimize } from 'mitata'
import { type Contender, WAITING } from '../contender.ts'

export function counter(): Contender {
  let inFlight = 0
  return {
    caller(times) {
      for (let i = 0; i < times; i++) {
        inFlight++
        do_not_optimize(inFlight)
        inFlight--
      }
    },
  }
}

export function clockTwice(): Contender {
  return {
    caller(times) {
      for (let i = 0; i < times; i++) {
        const startedAt = performance.now()
        do_not_optimize(performance.now() - startedAt)
      }
    },
  }
}

export function asyncFunction(): Contender {
  return {
    async caller(times) {
      for (let i = 0; i < times; i++) await resolved()
    },
  }
}

export function asyncFunctionWaiting(): Contender {
  return { ...asyncFunction(), callers: WAITING + 1 }
}

/** The work of every contender that runs work: nothing, and at once. */
export async function resolved(): Promise<void> {}
