// Draws by key: the same whenever they are asked for, and random.

import { describe, expect, it } from 'vitest'
import { KeyedDraws } from './keyed-draws.ts'

describe('keyed draws', () => {
  it('gives a key the same numbers whatever was asked before', () => {
    const draws = new KeyedDraws(1, 2)
    draws.seek(7, 3)
    const first = [draws.next(), draws.next(), draws.next()]
    draws.seek(8)
    draws.next()
    draws.seek(7, 3)
    expect([draws.next(), draws.next(), draws.next()]).toEqual(first)
  })

  it('gives other keys, sub-keys and streams other numbers', () => {
    const of = (draws: KeyedDraws, key: number, subKey: number): number => {
      draws.seek(key, subKey)
      return draws.next()
    }
    const [a, b] = [new KeyedDraws(1, 2), new KeyedDraws(1, 3)]
    expect(new Set([of(a, 0, 0), of(a, 1, 0), of(a, 0, 1), of(b, 0, 0), of(b, 1, 0)]).size).toBe(5)
  })

  it('is uniform over keys, over draws of a key, and uncorrelated between neighbours', () => {
    const draws = new KeyedDraws(12, 34)
    const bins = new Uint32Array(100)
    const n = 400_000
    let [sum, products, previous] = [0, 0, 0.5]
    for (let key = 0; key < n / 2; key++) {
      draws.seek(key)
      for (let draw = 0; draw < 2; draw++) {
        const x = draws.next()
        bins[Math.floor(100 * x)]! += 1
        sum += x
        products += (x - 0.5) * (previous - 0.5)
        previous = x
      }
    }
    const chiSquare = bins.reduce((total, count) => total + (count - n / 100) ** 2 / (n / 100), 0)
    expect(chiSquare).toBeLessThan(148) // 99.9 % point for 99 degrees of freedom.
    expect(Math.abs(sum / n - 0.5)).toBeLessThan(0.0015)
    expect(Math.abs(products / n) * 12).toBeLessThan(0.006)
  })
})
