// The hot structures against simple models of themselves.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { FadingHistogram } from './histogram.ts'
import { type Linked, LinkedList } from './linked-list.ts'
import { Moments } from './moments.ts'
import { SeededStream } from './prng.ts'
import { TimedHeap, type TimedItem } from './timed-heap.ts'
import { WindowMinimum } from './window-minimum.ts'

class Item implements TimedItem, Linked<Item> {
  sequence = -1
  heapIndex = -1
  previous: Item | undefined
  next: Item | undefined
  readonly at: number
  readonly id: number

  constructor(at: number, id: number) {
    this.at = at
    this.id = id
  }
}

const operations = fc.array(fc.tuple(fc.constantFrom('push', 'push', 'pop', 'remove'), fc.nat(20)), { maxLength: 300 })

describe('the timed heap', () => {
  it('gives back what a sorted list would, equal times in the order of pushing', () => {
    fc.assert(
      fc.property(operations, (steps) => {
        const heap = new TimedHeap<Item>()
        let model: Item[] = []
        for (const [index, [operation, number]] of steps.entries()) {
          if (operation === 'push') {
            const item = new Item(number % 7, index)
            heap.push(item)
            model.push(item)
            model = model.toSorted((a, b) => a.at - b.at || a.sequence - b.sequence)
          } else if (operation === 'pop') expect(heap.pop()).toBe(model.shift())
          else if (model.length > 0) {
            const [item] = model.splice(number % model.length, 1) as [Item]
            expect(heap.remove(item)).toBe(true)
            expect(heap.remove(item)).toBe(false)
            expect(item.heapIndex).toBe(-1)
          }
          expect(heap.size).toBe(model.length)
          expect(heap.peek()).toBe(model[0])
        }
      }),
    )
  })
})

describe('the linked list', () => {
  it('keeps the order of joining whoever leaves, and lets nobody who left hold on to it', () => {
    fc.assert(
      fc.property(operations, (steps) => {
        const list = new LinkedList<Item>()
        const model: Item[] = []
        for (const [index, [operation, number]] of steps.entries()) {
          if (operation === 'push') {
            const item = new Item(0, index)
            list.push(item)
            model.push(item)
          } else if (model.length > 0) {
            const [item] = model.splice(operation === 'pop' ? 0 : number % model.length, 1) as [Item]
            list.remove(item)
            expect([item.previous, item.next]).toEqual([undefined, undefined])
          }
          expect([list.size, list.first, list.last]).toEqual([model.length, model[0], model.at(-1)])
          const walked: Item[] = []
          for (let item = list.first; item !== undefined; item = item.next) walked.push(item)
          expect(walked).toEqual(model)
        }
      }),
      { numRuns: 50 },
    )
  })
})

describe('the fading histogram', () => {
  it('is within 7 % of the exact quantile over six orders of magnitude', () => {
    const stream = new SeededStream(1, 'histogram')
    for (const scale of [0.01, 1, 50, 20_000]) {
      const histogram = new FadingHistogram()
      const values = Array.from({ length: 500 }, () => -Math.log(1 - stream.next()) * scale)
      for (const value of values) histogram.record(value)
      const sorted = values.toSorted((a, b) => a - b)
      for (const q of [0.2, 0.5, 0.9]) {
        const exact = sorted[Math.floor(q * sorted.length)] as number
        expect(Math.abs(histogram.quantile(q) - exact) / exact).toBeLessThan(0.07)
      }
    }
  })

  it('forgets what was, and bears what is no duration', () => {
    const histogram = new FadingHistogram()
    for (let index = 0; index < 2000; index++) histogram.record(10)
    for (let index = 0; index < 3000; index++) histogram.record(100)
    expect(histogram.quantile(0.1)).toBeGreaterThan(90)
    for (const odd of [Number.NaN, -1, 0, Number.POSITIVE_INFINITY, 1e30, 5e-324]) histogram.record(odd)
    expect(Number.isFinite(histogram.quantile(0.99))).toBe(true)
    expect(histogram.count).toBeLessThan(512)
    expect(new FadingHistogram().quantile(0.5)).toBe(0)
  })
})

describe('moments', () => {
  it('know the residual life of a constant (half) and of an exponential (all of it)', () => {
    const constant = new Moments()
    const exponential = new Moments()
    const stream = new SeededStream(2, 'moments')
    let sum = 0
    for (let index = 0; index < 20_000; index++) {
      constant.record(50)
      exponential.record(-Math.log(1 - stream.next()) * 50)
      sum += exponential.residual
    }
    expect(constant.residual).toBeCloseTo(25, 9)
    expect(sum / 20_000).toBeGreaterThan(44)
    expect(sum / 20_000).toBeLessThan(56)
    expect([new Moments().mean, new Moments().residual]).toEqual([0, 0])
  })

  it('are right from the first sample on', () => {
    const moments = new Moments()
    moments.record(8)
    expect(moments.mean).toBe(8)
    moments.record(4)
    expect(moments.mean).toBe(6)
  })
})

describe('the window minimum', () => {
  it('remembers for one to two spans', () => {
    const minimum = new WindowMinimum(100)
    expect(minimum.record(5, 0)).toBe(5)
    expect(minimum.record(9, 99)).toBe(5)
    expect(minimum.record(9, 150)).toBe(5)
    expect(minimum.record(9, 250)).toBe(9)
    expect(minimum.record(7, 10_000)).toBe(7)
  })
})

describe('the seeded generator', () => {
  it('gives the same numbers for ever', () => {
    const stream = new SeededStream(42, 'arrivals')
    expect([stream.next(), stream.next(), stream.next()]).toEqual([
      0.5113430918172192, 0.872529564782388, 0.9519171128671402,
    ])
  })

  it('is uniform, and its streams are independent', () => {
    const a = new SeededStream(1, 'a')
    const b = new SeededStream(1, 'b')
    const count = 100_000
    const buckets = new Array<number>(10).fill(0)
    let product = 0
    for (let index = 0; index < count; index++) {
      const x = a.next()
      product += (x - 0.5) * (b.next() - 0.5)
      const bucket = Math.floor(x * 10)
      buckets[bucket] = (buckets[bucket] as number) + 1
    }
    for (const bucket of buckets) expect(Math.abs(bucket - count / 10)).toBeLessThan(500)
    expect(Math.abs(product / count) * 12).toBeLessThan(0.02)
  })
})
