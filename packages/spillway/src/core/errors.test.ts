import { describe, expect, it } from 'vitest'
import { assert } from './assert.ts'
import { Rejection } from './decision.ts'
import { errorTable, RejectedError, SpillwayError } from './errors.ts'
import { show } from './problems.ts'

describe('an error', () => {
  it('is told by its code, since two copies of the library know different classes', () => {
    const error = new SpillwayError('SPILLWAY_INTERNAL', 'lost count', { cause: 'why' })
    expect(error).toBeInstanceOf(Error)
    expect(error).toMatchObject({
      code: 'SPILLWAY_INTERNAL',
      name: 'SpillwayError',
      message: 'lost count',
      cause: 'why',
    })
  })

  it('of a refusal carries the decision with its numbers', () => {
    const rejection = new Rejection('capacity', 'queue', 5, 4, 20, 212, 788, 1000)
    const error = new RejectedError(rejection)
    expect(error.decision).toBe(rejection)
    expect(error.message).toBe(
      'rejected in the queue: capacity (limit 5, in flight 4, waiting 20, estimated wait 212 ms, remaining 788 ms)',
    )
  })

  it('of a refusal has no stack frames, and leaves other errors theirs', () => {
    const rejection = new Rejection('capacity', 'door', 1, 1, 0, 0, 0, 0)
    expect(new RejectedError(rejection).stack).not.toContain('\n    at ')
    expect(new Error('other').stack).toContain('\n    at ')
  })

  it('has a sentence in the table for each code', () => {
    for (const [code, sentence] of Object.entries(errorTable)) {
      expect(code).toMatch(/^SPILLWAY_[A-Z_]+$/)
      expect(sentence).toMatch(/^[A-Z].*\.$/)
    }
  })
})

describe('a refusal', () => {
  it('says whether another attempt may help', () => {
    expect(new Rejection('deadline', 'door', 5, 5, 0, 0, -3, undefined).retryable).toBe(false)
    expect(new Rejection('shed', 'door', 5, 5, 0, 0, 100, 0).retryable).toBe(true)
  })
})

describe('an assertion', () => {
  it('stays quiet while it holds and owns up when it does not', () => {
    expect(() => assert(true, 'fine')).not.toThrow()
    expect(() => assert(false, 'more came back than was in flight')).toThrow(
      expect.objectContaining({
        code: 'SPILLWAY_INTERNAL',
        message: 'more came back than was in flight (please report this)',
      }),
    )
  })
})

describe('a value in an error message', () => {
  it.each([
    ['text', '"text"'],
    ['x'.repeat(61), `"${'x'.repeat(60)}…"`],
    [[1, 'a', [2]], '[1, "a", [2]]'],
    [[1, 2, 3, 4, 5, 6], '[1, 2, 3, 4, 5, …]'],
    [() => 1, 'a function'],
    [{ secret: 'token' }, 'an object'],
    [Object.create(null), 'an object'],
    [null, 'null'],
    [undefined, 'undefined'],
    [Number.NaN, 'NaN'],
    [10n, '10'],
    [Symbol('s'), 'Symbol(s)'],
  ])('is short, quoted and never fails: case %#', (value, shown) => {
    expect(show(value)).toBe(shown)
  })
})
