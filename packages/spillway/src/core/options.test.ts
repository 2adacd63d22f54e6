// What a user reads who got an option wrong.

import { describe, expect, it } from 'vitest'
import { createAdmission } from '../surface/create-admission.ts'
import { createQuota } from '../surface/create-quota.ts'
import { SpillwayError } from './errors.ts'

function messageOf(construct: () => unknown): string {
  try {
    construct()
  } catch (error) {
    if (error instanceof SpillwayError && error.code === 'SPILLWAY_OPTIONS_INVALID') return error.message
    throw error
  }
  throw new Error('nothing was refused')
}

describe('wrong options', () => {
  it('are named all at once, with what came and what would be right', () => {
    const message = messageOf(() =>
      createAdmission({ limit: -1, waitMaxMs: Number.NaN, queueDepthMax: 1.5, waitMaxMS: 5, quota: {} } as never),
    )
    expect(message).toBe(
      'createAdmission: limit must be a whole number from 1 to 1000000, or a limiter with limit, sample(), onChange() and ' +
        'setLimit(), got -1; waitMaxMs must be a number from 0 to 86400000, got NaN; queueDepthMax must be a whole number ' +
        'from 0 to 1000000, got 1.5; quota must be an object with take(), refund(), got an object; there is no option ' +
        'waitMaxMS; did you mean waitMaxMs?',
    )
  })

  it('are named together with what is missing and what contradicts', () => {
    const message = messageOf(() => createAdmission({ waitMaxMs: -1, deadlineMs: Number.NaN } as never))
    for (const name of ['limit must be', 'waitMaxMs must be', 'deadlineMs must be']) expect(message).toContain(name)
    expect(messageOf(() => createQuota({ burst: 0, keysMax: 1.5 } as never))).toMatch(
      /limit must be .*; burst must be .*, got 0; keysMax must be .*, got 1\.5$/,
    )
  })

  it.each([
    ['wait', 'waitMaxMs'],
    ['WAITMAXMS', 'waitMaxMs'],
    ['waitMaxMsec', 'waitMaxMs'],
    ['limt', 'limit'],
    ['quotas', 'quota'],
    ['deadline', 'deadlineMs'],
  ])('of the name %s are told which was meant', (name, meant) => {
    expect(messageOf(() => createAdmission({ limit: 1, [name]: 1 } as never))).toBe(
      `createAdmission: there is no option ${name}; did you mean ${meant}?`,
    )
  })

  it.each(['constructor', 'toString', 'colour'])('of the name %s are told which there are', (name) => {
    const message = messageOf(() => createAdmission({ limit: 1, [name]: 1 } as never))
    expect(message).toMatch(
      new RegExp(`^createAdmission: there is no option ${name}; there are limit, waitMaxMs, .*observer$`),
    )
  })

  it.each([0, -5, 1.5, Number.NaN, Number.POSITIVE_INFINITY, '5', null, {}, 1e7])('refuse %s as a limit', (limit) => {
    expect(messageOf(() => createAdmission({ limit } as never))).toContain('limit must be')
  })

  it('that contradict each other are refused', () => {
    expect(messageOf(() => createAdmission({ limit: 1, waitMaxMs: 5000, permitAgeMaxMs: 1000 }))).toBe(
      'createAdmission: waitMaxMs must be <= permitAgeMaxMs (1000), got 5000',
    )
  })

  it('that are missing or no object are refused', () => {
    for (const options of [undefined, {}, null]) {
      expect(messageOf(() => createAdmission(options as never))).toContain('limit must be')
    }
    expect(messageOf(() => createAdmission(5 as never))).toContain('options must be an object, got 5')
  })

  it.each(['', '100', '100/fortnight', '-1/s', '0/s', '1.5/s', '1e3/s', 100, undefined])(
    'refuse %s as a rate',
    (limit) => {
      expect(messageOf(() => createQuota({ limit } as never))).toContain('limit must be a rate such as "100/min"')
    },
  )

  it('set on a live door leave its limit as it was', () => {
    const door = createAdmission({ limit: 3 })
    for (const limit of [0, -1, 2.5, Number.NaN]) {
      expect(messageOf(() => door.setLimit(limit))).toContain('limit must be a whole number')
    }
    expect(door.limit).toBe(3)
  })

  it('zero is a value: nothing waits', () => {
    const door = createAdmission({ limit: 1, waitMaxMs: 0, queueDepthMax: 0 })
    door.offer()
    expect(door.offer({}, { admitted() {}, rejected() {} })).toMatchObject({ status: 'rejected', reason: 'capacity' })
  })
})

describe('wrong arrivals', () => {
  it('are refused before anything is counted', () => {
    const door = createAdmission({ limit: 1 })
    const wrong = { cost: 0, deadlineMs: Number.NaN, attempt: 0, criticality: 'urgent' } as never
    expect(() => door.offer(wrong)).toThrow(
      'arrival refused: cost must be a number of permits above 0, got 0; deadlineMs must be a finite number of ms, got NaN; ' +
        'attempt must be a number from 1 up, got 0; criticality must be one of "critical-plus", "critical", ' +
        '"sheddable-plus", "sheddable", got "urgent"',
    )
    expect(door.snapshot()).toMatchObject({ offered: 0, inFlight: 0 })
  })
})
