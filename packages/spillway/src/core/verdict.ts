// What the numbers say about an arrival, as a pure function of them.

import { lastStart } from './waiting-room.ts'

/** `run` now, `wait` in line, or why not. */
export type Verdict = 'run' | 'wait' | 'deadline' | 'capacity'

// The door lets in who is expected to wait up to this share of the longest wait. At 1 half of those at the end of a full
// queue are refused after the whole wait, which is what waiting rooms must not do; at a half bursts are cut short.
const WAIT_SHARE = 0.8
// And up to this share of the time it has left. The estimate is a mean, and so is what is known of the service time: with half
// of 250 ms spent waiting, one in a hundred is late at an exponential service time of 20 ms, with a third one in a thousand. Doubled,
// the late are work done for nobody; halved, short bursts are refused that would have been done in time.
const DEADLINE_SHARE = 1 / 3

/** With a free slot: `leastMs` is what the work will likely take at least, `remainingMs` what is left of its deadline. */
export function verdictWithRoom(remainingMs: number, leastMs: number): Verdict {
  return remainingMs > 0 && remainingMs >= leastMs ? 'run' : 'deadline'
}

/** Without one: `waitMs` is the estimated wait, `waitMaxMs` the longest there may be. */
export function verdictWithoutRoom(remainingMs: number, leastMs: number, waitMs: number, waitMaxMs: number): Verdict {
  if (lastStart(remainingMs, leastMs) <= 0 || waitMs + leastMs > remainingMs) return 'deadline'
  const boundMs = Math.min(waitMaxMs * WAIT_SHARE, remainingMs * DEADLINE_SHARE)
  return boundMs === 0 || waitMs > boundMs ? 'capacity' : 'wait'
}
