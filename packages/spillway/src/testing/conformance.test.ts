// Every part in a registry is held to the checks of its kind; and parts that are broken on purpose show that the checks can
// fail.

import { describe, expect, it } from 'vitest'
import type { Discipline } from '../core/discipline.ts'
import type { Limiter } from '../core/limiter.ts'
import type { Quota } from '../core/quota.ts'
import type { Ticket } from '../core/ticket.ts'
import { FifoDiscipline } from '../disciplines/fifo.ts'
import { disciplines } from '../disciplines/index.ts'
import { FixedLimiter } from '../limiters/fixed.ts'
import { limiters } from '../limiters/index.ts'
import { quotas } from '../quotas/index.ts'
import { TokenBucketQuota } from '../quotas/token-bucket.ts'
import { VirtualRuntime } from '../runtime/virtual.ts'
import { type Check, disciplineConformance, limiterConformance, quotaConformance } from './conformance.ts'

describe.each(Object.entries(limiters))('limiter %s', (_, make) => {
  for (const check of limiterConformance(make)) it(check.name, check.run)
})

describe.each(Object.entries(disciplines))('discipline %s', (_, make) => {
  for (const check of disciplineConformance(make)) it(check.name, check.run)
})

describe.each(Object.entries(quotas))('quota %s', (_, make) => {
  const checks = quotaConformance((count, burst, runtime) =>
    make({ count, spanMs: 1000, burst, keysMax: 100 }, runtime),
  )
  for (const check of checks) it(check.name, check.run)
})

function complaints(checks: Check[]): string[] {
  return checks.flatMap((check) => {
    try {
      check.run()
      return []
    } catch (error) {
      return [(error as Error).message]
    }
  })
}

/** Ours, with one thing wrong. */
function spoilt<T extends object>(part: T, wrong: Partial<T>): T {
  return new Proxy(part, {
    get: (target, name) => {
      const value = (name in wrong ? wrong : target)[name as keyof T]
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

const yes = { allowed: true, retryAfterMs: undefined } as const

describe('the checks', () => {
  it('catch a limiter that falls to zero and one that is silent', () => {
    const sinking = (limit: number): Limiter => ({
      limit,
      sample() {
        ;(this as { limit: number }).limit -= 0.5
      },
      onChange() {},
      setLimit() {},
    })
    expect(complaints(limiterConformance(sinking))).toEqual([
      'its limit became 9.5',
      'the listener heard ',
      'its limit became 9.5 and its listener knows of 10',
    ])
  })

  it('catch a limiter that tells of changes that are none, and one that draws lots', () => {
    const talkative = (limit: number): Limiter => {
      const fixed = new FixedLimiter(limit)
      let listener = (): void => {}
      return spoilt<Limiter>(fixed, {
        onChange: (listening) => {
          listener = listening
        },
        setLimit: (next) => {
          fixed.setLimit(next)
          listener()
        },
      })
    }
    expect(complaints(limiterConformance(talkative))).toEqual(['its listener heard of a change that was none'])
    let drawn = 0
    const drawing = (limit: number): Limiter => ({
      get limit() {
        return limit + (drawn++ % 7)
      },
      sample() {},
      onChange() {},
      setLimit() {},
    })
    expect(complaints(limiterConformance(drawing))).toContain('it finds other limits the second time')
  })

  it('catch a discipline that forgets its bound, and one that loses whoever leaves', () => {
    class Boundless implements Discipline {
      readonly full = false
      tickets: Ticket[] = []
      get size() {
        return this.tickets.length
      }
      get aheadCost() {
        return 0
      }
      enqueue(ticket: Ticket): Ticket | undefined {
        this.tickets.push(ticket)
        return undefined
      }
      peek() {
        return this.tickets[0]
      }
      remove(_ticket: Ticket) {
        this.tickets.shift()
      }
    }
    expect(complaints(disciplineConformance(() => new Boundless()))).toHaveLength(3)
  })

  it('catch a discipline whose cost drifts, and one that stays linked to who has left', () => {
    const drifting = (depthMax: number): Discipline => {
      const fifo = new FifoDiscipline(depthMax)
      let cost = 0
      return spoilt<Discipline>(fifo, {
        get aheadCost() {
          return cost
        },
        enqueue: (ticket) => {
          const displaced = fifo.enqueue(ticket)
          if (displaced === undefined) cost += ticket.cost
          return displaced
        },
        remove: (ticket) => {
          fifo.remove(ticket)
          cost -= ticket.cost
        },
      })
    }
    expect(complaints(disciplineConformance(drifting)).join()).toMatch(/^an empty queue costs -?\d/)
    const clinging = (depthMax: number): Discipline => {
      const fifo = new FifoDiscipline(depthMax)
      return spoilt<Discipline>(fifo, {
        remove: (ticket) => {
          const { next } = ticket
          fifo.remove(ticket)
          ticket.next = next
        },
      })
    }
    expect(complaints(disciplineConformance(clinging))).toEqual(['who has left is still linked to others'])
  })

  it('catch a quota that allows everything, one that never refills, one that pays out refunds, one on the wall clock', () => {
    const generous: Quota = { take: () => yes, refund() {} }
    expect(complaints(quotaConformance(() => generous))).toHaveLength(7)
    const bucket = (perSecond: number, burst: number, runtime: VirtualRuntime): Quota =>
      new TokenBucketQuota({ count: perSecond, spanMs: 1000, burst, keysMax: 100 }, runtime)
    const frozen = (perSecond: number, burst: number): Quota => bucket(perSecond, burst, new VirtualRuntime())
    expect(complaints(quotaConformance(frozen))).toEqual([
      '0 instead of 1000 in ten seconds',
      'it refuses at the time it told',
      'a key that rested has more or less than its burst',
      expect.stringContaining('are less than its rate'),
    ])
    const hoarding = (perSecond: number, burst: number, runtime: VirtualRuntime): Quota => {
      const inner = bucket(perSecond, burst, runtime)
      let saved = 0
      return {
        take: (key, cost, answer) => {
          if (saved < cost) return inner.take(key, cost, answer)
          saved -= cost
          return yes
        },
        refund: (_, cost) => {
          saved += cost
        },
      }
    }
    expect(complaints(quotaConformance(hoarding))).toEqual(['a key got more than its burst out of refunds'])
    const walled = (perSecond: number, burst: number, runtime: VirtualRuntime): Quota =>
      bucket(perSecond, burst, spoilt(runtime, { now: () => runtime.wallNow() }))
    expect(complaints(quotaConformance(walled))).toHaveLength(1)
  })

  it('catch a quota that takes something for a refusal, and one that mixes up keys', () => {
    const greedy = (perSecond: number, burst: number, runtime: VirtualRuntime): Quota => {
      let fullAt = 0
      return {
        take: (_key, cost) => {
          fullAt = Math.max(runtime.now(), fullAt) + (cost * 1000) / perSecond
          const waitMs = fullAt - runtime.now() - (burst * 1000) / perSecond
          return waitMs > 1e-6 ? { allowed: false, retryAfterMs: waitMs } : yes
        },
        refund: () => {},
      }
    }
    expect(complaints(quotaConformance(greedy)).length).toBeGreaterThanOrEqual(4)
  })
})
