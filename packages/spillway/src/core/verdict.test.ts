import { describe, expect, it } from 'vitest'
import { verdictWithoutRoom, verdictWithRoom } from './verdict.ts'

describe('the verdict with a free slot', () => {
  it.each([
    [0, 0, 'deadline'],
    [-1, 0, 'deadline'],
    [1e-9, 0, 'run'],
    [49.9, 50, 'deadline'],
    [50, 50, 'run'],
  ] as const)('with %s ms left for work of %s ms is %s', (remainingMs, leastMs, verdict) => {
    expect(verdictWithRoom(remainingMs, leastMs)).toBe(verdict)
  })
})

describe('the verdict without a free slot', () => {
  it.each([
    // left, work, wait, longest wait
    [1000, 50, 100, 200, 'wait'],
    [149, 50, 100, 200, 'deadline'],
    // No more than a third of the time left goes into waiting.
    [300, 50, 100, 200, 'wait'],
    [299, 50, 100, 200, 'capacity'],
    [150, 50, 100, 200, 'capacity'],
    // An answer must still reach the caller: a millisecond is kept for it.
    [1, 0, 0, 200, 'deadline'],
    [1.1, 0, 0, 200, 'wait'],
    [50, 50, 0, 200, 'deadline'],
    // A fifth of the longest wait is kept for what cannot be known.
    [1000, 50, 160, 200, 'wait'],
    [1000, 50, 161, 200, 'capacity'],
    [1000, 0, 0, 0, 'capacity'],
  ] as const)(
    'with %s ms left, work of %s ms and a wait of %s of %s ms is %s',
    (left, work, wait, longest, verdict) => {
      expect(verdictWithoutRoom(left, work, wait, longest)).toBe(verdict)
    },
  )
})
