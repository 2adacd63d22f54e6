// Mixes: shares come out, and each choice has numbers of its own.

import { describe, expect, it } from 'vitest'
import { Problems } from '../core/problems.ts'
import { SeededStream } from '../structures/prng.ts'
import { checkMix, type Drawn, type Mix, MixDraw, popularityOf } from './mix.ts'

function drawn(mix: Mix, count: number): Drawn[] {
  const draw = new MixDraw(mix, (name) => new SeededStream(7, name))
  return Array.from({ length: count }, () => draw.next())
}

describe('mixes', () => {
  it('draws kinds, tenants and criticalities by their shares', () => {
    const requests = drawn(
      {
        kinds: [{ share: 9 }, { share: 1, class: 'report', cost: 5 }],
        tenants: { a: 3, b: 1 },
        criticalities: { critical: 1, sheddable: 3 },
      },
      100_000,
    )
    const share = (of: (each: Drawn) => boolean): number => requests.filter(of).length / requests.length
    expect(share(({ kind }) => kind.class === 'report')).toBeCloseTo(0.1, 2)
    expect(share(({ tenant }) => tenant === 'a')).toBeCloseTo(0.75, 2)
    expect(share(({ criticality }) => criticality === 'critical')).toBeCloseTo(0.25, 2)
  })

  it('does not change the kinds when tenants are added', () => {
    const kinds = [
      { share: 1, class: 'a' },
      { share: 1, class: 'b' },
    ]
    const plain = drawn({ kinds }, 1000).map(({ kind }) => kind.class)
    const tenanted = drawn({ kinds, tenants: { x: 1, y: 1 } }, 1000).map(({ kind }) => kind.class)
    expect(tenanted).toEqual(plain)
  })

  it('lets a kind decide for itself', () => {
    const [first] = drawn({ kinds: [{ tenant: 'own', criticality: 'critical-plus' }], tenants: { a: 1 } }, 1)
    expect([first?.tenant, first?.criticality]).toEqual(['own', 'critical-plus'])
  })

  it('draws keys by popularity', () => {
    const keys = { count: 50, skew: 1 }
    const counts = new Uint32Array(50)
    for (const { key } of drawn({ keys }, 200_000)) counts[key]! += 1
    popularityOf(keys).forEach((share, key) => {
      expect(Math.abs((counts[key] as number) / 200_000 - share)).toBeLessThan(0.004)
    })
  })

  it('refuses what is no share, all at once', () => {
    const problems = new Problems()
    checkMix({ kinds: [{ share: -1, cost: 0 }], keys: { count: 0 }, tenants: { a: 0 } }, 'mix', problems)
    expect(`${problems}`.split('; ')).toEqual([
      'mix.kinds[0].share must be a finite weight of 0 or more, got -1',
      'mix.kinds[0].cost must be a finite number above 0, got 0',
      'mix.tenants.a must be a finite weight above 0, got 0',
      'mix.keys.count must be a whole number from 1, got 0',
    ])
  })
})
