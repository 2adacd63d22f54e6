// What every part of a kind must do, as lists of named checks, so that a part of your own can be held to the same as ours:
//
//   for (const check of disciplineConformance((depthMax) => new MyDiscipline(depthMax))) it(check.name, check.run)
//
// A check throws when the part fails it. They need no test framework.

import { deadlineAfter } from '../core/deadline.ts'
import type { Discipline } from '../core/discipline.ts'
import type { Limiter } from '../core/limiter.ts'
import type { Quota, QuotaAnswer } from '../core/quota.ts'
import type { Outcome, Sample } from '../core/sample.ts'
import { ServiceTime } from '../core/service-times.ts'
import { Ticket } from '../core/ticket.ts'
import { VirtualRuntime } from '../runtime/virtual.ts'
import { SeededStream } from '../structures/prng.ts'

/** One thing a part must do. */
export interface Check {
  readonly name: string
  run(): void
}

/** Checks of a {@link Limiter}: `make` gets the limit to start with. */
export function limiterConformance(make: (limit: number) => Limiter): Check[] {
  return [
    {
      name: 'starts with the limit it was given',
      run: () => must(make(7).limit === 7, 'it starts elsewhere'),
    },
    {
      name: 'has a whole limit of 1 or more whatever it is told',
      run: () => {
        const limiter = make(10)
        const chance = new SeededStream(1, 'limiter')
        for (let index = 0; index < 5000; index++) {
          limiter.sample(sampleOf(chance))
          must(Number.isInteger(limiter.limit) && limiter.limit >= 1, `its limit became ${limiter.limit}`)
        }
      },
    },
    {
      name: 'tells its listener when the limit is set by hand, and takes nothing but a whole number of 1 or more',
      run: () => {
        const limiter = make(5)
        const heard: number[] = []
        limiter.onChange(() => heard.push(limiter.limit))
        limiter.setLimit(9)
        must(heard.length === 1 && heard[0] === 9 && limiter.limit === 9, `the listener heard ${heard.join()}`)
        for (const wrong of [0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY]) {
          must(
            throws(() => limiter.setLimit(wrong)),
            `it took a limit of ${wrong}`,
          )
        }
        must(limiter.limit === 9 && heard.length === 1, 'a refused limit changed it')
        limiter.setLimit(9)
        must(heard.length === 1, 'its listener heard of a change that was none')
      },
    },
    {
      name: 'tells its listener of every change it makes by itself, once it is made',
      run: () => {
        const limiter = make(10)
        let known = limiter.limit
        limiter.onChange(() => {
          known = limiter.limit
        })
        const chance = new SeededStream(2, 'limiter')
        for (let index = 0; index < 5000; index++) {
          limiter.sample(sampleOf(chance))
          must(limiter.limit === known, `its limit became ${limiter.limit} and its listener knows of ${known}`)
        }
      },
    },
    {
      name: 'finds the same limits when it is told the same again',
      run: () => {
        const learn = (): string => {
          const limiter = make(10)
          const chance = new SeededStream(3, 'limiter')
          const limits = Array.from({ length: 1000 }, () => {
            limiter.sample(sampleOf(chance))
            return limiter.limit
          })
          return limits.join()
        }
        const first = learn()
        must(learn() === first, 'it finds other limits the second time')
      },
    },
  ]
}

/** Checks of a {@link Discipline}: `make` gets the most that may wait. */
export function disciplineConformance(make: (depthMax: number) => Discipline): Check[] {
  return [
    {
      name: 'never holds more than its bound, and loses nobody',
      run: () => {
        for (const depthMax of [0, 1, 2, 7]) randomProgram(make(depthMax), depthMax)
      },
    },
    {
      name: 'displaces one ticket for one when it is full: the newcomer or another',
      run: () => {
        const discipline = make(1)
        const [first, second] = [ticketOf(1), ticketOf(1)]
        must(discipline.enqueue(first) === undefined, 'an empty queue displaced somebody')
        const displaced = discipline.enqueue(second)
        must(displaced === first || displaced === second, 'a full queue displaced nobody who was there')
        must(discipline.size === 1, `it holds ${discipline.size}`)
        must(discipline.peek() === (displaced === first ? second : first), 'who is left is not next')
      },
    },
    {
      name: 'peeking takes nobody out, and removing one leaves the order of the others',
      run: () => {
        const discipline = make(5)
        const tickets = [ticketOf(1), ticketOf(1), ticketOf(1)]
        for (const ticket of tickets) discipline.enqueue(ticket)
        const next = discipline.peek() as Ticket
        must(discipline.peek() === next && discipline.size === 3, 'peeking changed it')
        const other = tickets.find((ticket) => ticket !== next) as Ticket
        discipline.remove(other)
        must(discipline.peek() === next, 'somebody else is next after another one left')
      },
    },
    {
      name: 'holds on to nobody who has left, nor to their cost',
      run: () => {
        const discipline = make(10)
        const tickets = [0.1, 0.7, 1.1, 2.3, 0.1].map(ticketOf)
        for (const ticket of tickets) discipline.enqueue(ticket)
        must(discipline.aheadCost >= 0, `${discipline.aheadCost} units stand before a newcomer`)
        for (const ticket of [1, 4, 0, 3, 2].map((index) => tickets[index] as Ticket)) discipline.remove(ticket)
        must(discipline.aheadCost === 0, `an empty queue costs ${discipline.aheadCost}`)
        must(discipline.peek() === undefined && discipline.size === 0, 'somebody is next in an empty queue')
        for (const { previous, next } of tickets) {
          must(previous === undefined && next === undefined, 'who has left is still linked to others')
        }
      },
    },
  ]
}

/** Checks of a {@link Quota} that answers at once: `make` gets tokens a second, the size of the bucket and the runtime. */
export function quotaConformance(make: MakeQuota): Check[] {
  return [...answerChecks(make), ...amountChecks(make)]
}

type MakeQuota = (perSecond: number, burst: number, runtime: VirtualRuntime) => Quota

function answerChecks(make: MakeQuota): Check[] {
  return [
    {
      name: 'allows exactly its burst at one instant, per key',
      run: () => {
        for (const burst of [1, 2, 10]) {
          const quota = make(1, burst, new VirtualRuntime())
          must(allowedOf(quota, 'a', burst + 2) === burst, 'it allows one too few or too many')
          must(allowedOf(quota, 'b', burst) === burst, 'one key uses the share of another')
        }
      },
    },
    {
      name: 'refills at its rate, keeps fractions, and takes nothing for a refusal',
      run: () => {
        const runtime = new VirtualRuntime()
        const quota = make(100, 10, runtime)
        allowedOf(quota, 'a', 10)
        let allowed = 0
        for (let step = 0; step < 2000; step++) {
          runtime.advance(5)
          allowed += allowedOf(quota, 'a', 1)
        }
        must(Math.abs(allowed - 1000) <= 1, `${allowed} instead of 1000 in ten seconds`)
      },
    },
    {
      name: 'is refused before the time it tells, and allowed at it',
      run: () => {
        const runtime = new VirtualRuntime()
        const quota = make(1, 1, runtime)
        allowedOf(quota, 'a', 1)
        const waitMs = take(quota, 'a').retryAfterMs ?? 0
        must(waitMs > 0, `it tells a wait of ${waitMs} ms`)
        runtime.advance(waitMs - 1)
        must(!take(quota, 'a').allowed, 'it allows before the time it told')
        runtime.advance(1)
        must(take(quota, 'a').allowed, 'it refuses at the time it told')
      },
    },
    {
      name: 'tells no time for what can never fit, and a refund gives back what was taken',
      run: () => {
        const quota = make(1, 2, new VirtualRuntime())
        const never = take(quota, 'a', 3)
        must(!never.allowed && never.retryAfterMs === undefined, 'it tells when the impossible may be tried')
        must(allowedOf(quota, 'a', 2) === 2, 'the impossible took something')
        quota.refund('a', 1)
        must(allowedOf(quota, 'a', 2) === 1, 'a refund is not what was taken')
      },
    },
  ]
}

function amountChecks(make: MakeQuota): Check[] {
  return [
    {
      name: 'holds no more than its burst, whatever is given back and however long it rests',
      run: () => {
        const runtime = new VirtualRuntime()
        const quota = make(1, 3, runtime)
        for (let index = 0; index < 5; index++) quota.refund('a', 1)
        must(allowedOf(quota, 'a', 5) === 3, 'a key got more than its burst out of refunds')
        runtime.advance(20 * 86_400_000 + 0.1)
        must(allowedOf(quota, 'a', 5) === 3, 'a key that rested has more or less than its burst')
      },
    },
    {
      name: 'allows no more than its burst and its rate in any span, whatever the wall clock does',
      run: () => {
        const runtime = new VirtualRuntime()
        const quota = make(7, 10, runtime)
        const chance = new SeededStream(4, 'quota')
        const allowedAt: number[] = []
        for (let step = 0; step < 5000; step++) {
          runtime.advance(chance.next() * 60)
          runtime.stepWall((chance.next() - 0.5) * 1e7)
          if (take(quota, 'a').allowed) allowedAt.push(runtime.now())
        }
        // The n-th after any one comes no sooner than n − burst tokens take.
        for (const [index, at] of allowedAt.entries()) {
          const later = allowedAt[index + 50]
          must(later === undefined || later - at >= ((50 - 9) * 1000) / 7 - 60, 'it allows more than its rate')
        }
        const lastMs = runtime.now()
        must(allowedAt.length >= (lastMs / 1000) * 7 - 10, `${allowedAt.length} in ${lastMs} ms are less than its rate`)
      },
    },
    {
      name: 'weighs costs, fractions too, and takes any key',
      run: () => {
        for (const key of ['a', '__proto__', 'constructor', 'x'.repeat(10_000), 'ü\u0000'.repeat(70)]) {
          const quota = make(1, 5, new VirtualRuntime())
          const answers = [2.5, 2, 1, 0.5, 0.1].map((cost) => take(quota, key, cost).allowed)
          must(
            answers.join() === 'true,true,false,true,false',
            `costs of ${key.slice(0, 20)} do not add up to its burst`,
          )
        }
      },
    },
  ]
}

function randomProgram(discipline: Discipline, depthMax: number): void {
  const chance = new SeededStream(depthMax, 'discipline')
  const inside = new Set<Ticket>()
  for (let step = 0; step < 2000; step++) {
    if (chance.next() < 0.6) {
      const ticket = ticketOf(chance.next() < 0.5 ? 1 : 2)
      const { full } = discipline
      const displaced = discipline.enqueue(ticket)
      must(!full || displaced === ticket, 'it said that it was full and let somebody in')
      inside.add(ticket)
      if (displaced !== undefined) must(inside.delete(displaced), 'it displaced somebody who was not there')
    } else {
      const next = discipline.peek()
      must((next === undefined) === (inside.size === 0), 'somebody waits and nobody is next')
      if (next === undefined) continue
      must(inside.has(next), 'somebody who has gone is next')
      const leaver = chance.next() < 0.5 ? next : ([...inside][Math.floor(chance.next() * inside.size)] as Ticket)
      discipline.remove(leaver)
      inside.delete(leaver)
    }
    must(discipline.size === inside.size && inside.size <= depthMax, `${inside.size} wait, it says ${discipline.size}`)
    const cost = [...inside].reduce((sum, ticket) => sum + ticket.cost, 0)
    must(
      Math.abs(discipline.aheadCost - cost) < 1e-9 || discipline.aheadCost <= cost,
      'it counts cost that is not there',
    )
  }
}

function ticketOf(cost: number): Ticket {
  const waiter = { admitted() {}, rejected() {} }
  const owner = { leave: () => true }
  const deadline = deadlineAfter(0, 1000)
  return new Ticket({ cost }, 'sheddable-plus', deadline, 0, new ServiceTime(), waiter, 1000, false, owner)
}

function sampleOf(chance: SeededStream): Sample {
  const outcomes: Outcome[] = ['success', 'ignored', 'dropped']
  const startedAt = chance.next() * 1000
  const outcome = outcomes[Math.floor(chance.next() * 3)] as Outcome
  const endedAt = startedAt + chance.next() ** 8 * 100_000
  return { startedAt, endedAt, inFlight: Math.ceil(chance.next() * 50), cost: 1, class: undefined, outcome }
}

function take(quota: Quota, key: string, cost = 1): QuotaAnswer {
  const answer = quota.take(key, cost, () => {})
  must(answer !== undefined, 'it did not answer at once')
  return answer
}

function allowedOf(quota: Quota, key: string, times: number): number {
  let allowed = 0
  for (let index = 0; index < times; index++) if (take(quota, key).allowed) allowed++
  return allowed
}

function throws(act: () => void): boolean {
  try {
    act()
    return false
  } catch {
    return true
  }
}

function must(holds: boolean, complaint: string): asserts holds {
  if (!holds) throw new Error(complaint)
}
