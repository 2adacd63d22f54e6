// The queue against an array.

import { expect, it } from 'vitest'
import { FifoQueue } from './fifo-queue.ts'
import { SeededStream } from './prng.ts'

it('gives back what came in, in order, also after it has moved its items', () => {
  const random = new SeededStream(4, 'queue')
  const queue = new FifoQueue<number>()
  const model: number[] = []
  for (let i = 0; i < 50_000; i++) {
    if (random.next() < (i < 25_000 ? 0.6 : 0.4)) {
      queue.push(i)
      model.push(i)
    } else expect(queue.shift()).toBe(model.shift())
    expect(queue.size).toBe(model.length)
    expect(queue.peek()).toBe(model[0])
  }
  queue.clear()
  expect([queue.size, queue.peek(), queue.shift()]).toEqual([0, undefined, undefined])
})
