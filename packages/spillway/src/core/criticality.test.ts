import { describe, expect, it } from 'vitest'
import { criticalities, criticalityDefault, parseCriticality } from './criticality.ts'

describe('a criticality', () => {
  it('is read in any case, with either separator, and with space around it', () => {
    for (const criticality of criticalities) expect(parseCriticality(criticality)).toBe(criticality)
    expect(parseCriticality('CRITICAL_PLUS')).toBe('critical-plus')
    expect(parseCriticality(' Sheddable ')).toBe('sheddable')
  })

  it.each([
    '',
    '-1',
    '1e3',
    'abc',
    '99999999999',
    'critical, critical-plus',
    'critical--plus',
    '__proto__',
    'toString',
  ])('is not read out of %j', (text) => {
    expect(parseCriticality(text)).toBeUndefined()
  })

  it('that nobody named is neither the highest nor the lowest', () => {
    expect(criticalities.indexOf(criticalityDefault)).toBe(2)
  })
})
