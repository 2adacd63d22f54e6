// Expected values were drawn by CPython and are kept as data; no test needs Python.
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { Mt19937 } from './mt19937.ts'

interface Vector {
  readonly seed: number
  readonly first: readonly number[]
  readonly later: Readonly<Record<string, number>>
}

const file = new URL('../../test/data/mt19937.json', import.meta.url)
const { vectors } = JSON.parse(readFileSync(file, 'utf8')) as { vectors: readonly Vector[] }

describe('the Mersenne Twister', () => {
  it.each(vectors)("draws what CPython's random.Random($seed) draws, to the last bit", ({ seed, first, later }) => {
    const generator = Mt19937.ofPython(seed)
    const drawn = Array.from({ length: 100_001 }, () => generator.next())
    expect(drawn.slice(0, first.length)).toEqual(first)
    for (const [index, value] of Object.entries(later)) expect(drawn[Number(index)]).toBe(value)
  })

  it('takes a key of several words, as init_by_array does', () => {
    // The first output of the reference program mt19937ar.c is the word 1067595299 for this key.
    const generator = new Mt19937([0x123, 0x234, 0x345, 0x456])
    expect(Math.floor(generator.next() * 2 ** 27)).toBe(1067595299 >>> 5)
  })
})
