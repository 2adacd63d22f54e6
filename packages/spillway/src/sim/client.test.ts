// Clients against a callee that does as it is told.

import { describe, expect, it } from 'vitest'
import { constant } from '../workload/distribution.ts'
import { Client, type Outcome } from './client.ts'
import type { Answer, Attempt, Callee, Caller, Departure } from './contract.ts'
import { Request } from './request.ts'
import type { ClientPlan } from './scenario.ts'
import { World } from './world.ts'

/** Answers attempt after attempt as listed, each `afterMs`; after the list nothing is ever answered. */
class Scripted implements Callee {
  readonly log: string[] = []
  readonly #world: World
  readonly #answers: (readonly [answer: Answer, afterMs: number, retryAfterMs?: number])[]

  constructor(world: World, answers: readonly (readonly [Answer, number, number?])[]) {
    this.#world = world
    this.#answers = [...answers]
  }

  call(attempt: Attempt, caller: Caller): Departure {
    this.log.push(`${attempt.attempt} at ${this.#world.now()} with ${attempt.deadlineMs}`)
    const [answer, afterMs = 0, retryAfterMs] = this.#answers.shift() ?? []
    let here = true
    if (answer !== undefined && afterMs === 0) caller.answered(answer, retryAfterMs)
    else if (answer !== undefined)
      this.#world.setTimer(() => {
        if (here) caller.answered(answer, retryAfterMs)
      }, afterMs)
    return {
      leave: () => {
        here = false
        this.log.push(`left at ${this.#world.now()}`)
      },
    }
  }
}

function pursue(
  plan: ClientPlan,
  answers: readonly (readonly [Answer, number, number?])[],
  requests = 1,
): { log: string[]; outcomes: string[]; book: { sent: number; answered: number; left: number } } {
  const world = new World(1)
  const callee = new Scripted(world, answers)
  const book = { sent: 0, answered: 0, left: 0 }
  const client = new Client('test', plan, callee, book, world)
  const outcomes: string[] = []
  for (let index = 0; index < requests; index++) {
    const request = new Request(index, 0, {}, undefined, undefined, undefined, 250, 0, 1, 0, undefined)
    client.pursue(request, 250, Infinity, {
      pursued: (outcome: Outcome) => void outcomes.push(`${outcome} at ${world.now()}`),
    })
  }
  world.run()
  return { log: callee.log, outcomes, book }
}

describe('a client', () => {
  it('is content with the first good answer', () => {
    const { log, outcomes, book } = pursue({ attempts: 3 }, [['ok', 20]])
    expect([log, outcomes]).toEqual([['1 at 0 with 250'], ['ok at 20']])
    expect(book).toEqual({ sent: 1, answered: 1, left: 0 })
  })

  it('leaves an attempt that takes too long, and tries again as often as it may', () => {
    const { log, outcomes, book } = pursue({ timeoutMs: 100, attempts: 3 }, [])
    expect(log).toEqual([
      '1 at 0 with 100',
      'left at 100',
      '2 at 100 with 100',
      'left at 200',
      '3 at 200 with 100',
      'left at 300',
    ])
    expect(outcomes).toEqual(['timeout at 300'])
    expect(book).toEqual({ sent: 3, answered: 0, left: 3 })
  })

  it('tries again at once inside a refusal, and says how the last attempt ended', () => {
    const { log, outcomes } = pursue({ attempts: 3 }, [
      ['capacity', 0],
      ['failed', 0],
      ['capacity', 0],
    ])
    expect(log.length).toBe(3)
    expect(outcomes).toEqual(['rejected at 0'])
  })

  it('tries again only what it is told to', () => {
    expect(pursue({ attempts: 3, retryOn: ['failed'] }, [['capacity', 5]]).outcomes).toEqual(['rejected at 5'])
    expect(
      pursue({ attempts: 3, retryOn: ['failed'] }, [
        ['failed', 5],
        ['ok', 5],
      ]).outcomes,
    ).toEqual(['ok at 10'])
  })

  it('pauses as its plan says', () => {
    const answers = Array.from({ length: 4 }, () => ['failed', 0] as const)
    const starts = (backOff: ClientPlan['backOff']): number[] =>
      pursue({ attempts: 4, ...(backOff && { backOff }) }, answers).log.map((line) => Number(line.split(' ')[2]))
    expect(starts({ kind: 'fixed', ms: 1000 })).toEqual([0, 1000, 2000, 3000])
    expect(starts({ kind: 'exponential', baseMs: 100, jitter: 0 })).toEqual([0, 100, 300, 700])
    expect(starts({ kind: 'exponential', baseMs: 100, jitter: 0, maxMs: 150 })).toEqual([0, 100, 250, 400])
    const jittered = starts({ kind: 'exponential', baseMs: 100 })
    jittered.slice(1).forEach((at, index) => {
      expect(at - (jittered[index] as number)).toBeLessThan(100 * 2 ** index)
    })
    const near = starts({ kind: 'exponential', baseMs: 50, jitter: 0.2 })
    expect(near[1]).toBeGreaterThanOrEqual(40)
    expect(near[1]).toBeLessThanOrEqual(60)
  })

  it('waits as long as a refusal advises, if it heeds that', () => {
    const { log } = pursue({ attempts: 2, heedsRetryAfter: true }, [
      ['capacity', 0, 700],
      ['ok', 1],
    ])
    expect(log[1]).toBe('2 at 700 with 250')
    expect(
      pursue({ attempts: 2 }, [
        ['capacity', 0, 700],
        ['ok', 1],
      ]).log[1],
    ).toBe('2 at 0 with 250')
  })

  it('makes no attempt, and waits for none, beyond its overall deadline', () => {
    const plan: ClientPlan = { timeoutMs: 250, attempts: 6, backOff: { kind: 'fixed', ms: 1000 }, overallMs: 1300 }
    const { log, outcomes } = pursue(plan, [])
    expect(log).toEqual(['1 at 0 with 250', 'left at 250', '2 at 1250 with 50', 'left at 1300'])
    expect(outcomes).toEqual(['timeout at 1300'])
  })

  it('leaves for good when its patience ends', () => {
    const { outcomes } = pursue({ timeoutMs: 250, attempts: 9, patienceMs: constant(400) }, [])
    expect(outcomes).toEqual(['timeout at 400'])
  })

  it('says nothing of its time where it tells no deadline', () => {
    expect(pursue({ tellsDeadline: false }, [['ok', 1]]).log).toEqual(['1 at 0 with undefined'])
  })

  it('spends no more on retries than its budget earns', () => {
    const answers = Array.from({ length: 3000 }, () => ['failed', 0] as const)
    const { book } = pursue({ attempts: 3, retryBudget: { ratio: 0.1 } }, answers, 1000)
    expect(book.sent).toBe(1000 + 100 + 10)
  })
})
