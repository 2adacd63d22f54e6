// Every part in a registry is held to the checks of its kind; and parts that are broken on purpose show that the checks can
// fail.

import { describe, expect, it } from 'vitest'
import type { Discipline } from '../core/discipline.ts'
import type { Limiter } from '../core/limiter.ts'
import type { Quota } from '../core/quota.ts'
import type { Ticket } from '../core/ticket.ts'
import { disciplines } from '../disciplines/index.ts'
import { limiters } from '../limiters/index.ts'
import { quotas } from '../quotas/index.ts'
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
    expect(complaints(limiterConformance(sinking))).toEqual(['its limit became 9.5', 'the listener heard '])
  })

  it('catch a discipline that forgets its bound, and one that loses whoever leaves', () => {
    class Boundless implements Discipline {
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

  it('catch a quota that is off by one, and one that throws fractions away', () => {
    const generous: Quota = { take: () => ({ allowed: true, retryAfterMs: undefined }), refund() {} }
    expect(complaints(quotaConformance(() => generous))).toHaveLength(4)
  })
})
