// Faults that users of comparable software reported, as tests of the door in virtual time. Each is named for what went
// wrong there.

import { describe, expect, it } from 'vitest'
import type { Door } from '../src/core/admission-async.ts'
import type { Decision, Rejection } from '../src/core/decision.ts'
import type { Permit } from '../src/core/permit.ts'
import type { Ticket, Waiter } from '../src/core/ticket.ts'
import { VirtualRuntime } from '../src/runtime/virtual.ts'
import { type AdmissionOptions, createAdmission } from '../src/surface/create-admission.ts'

function setUp(options: AdmissionOptions): { door: Door; runtime: VirtualRuntime } {
  const runtime = new VirtualRuntime(7)
  return { door: createAdmission(options, runtime), runtime }
}

// Remembers how its wait ended.
class Note implements Waiter {
  permit: Permit | undefined
  rejection: Rejection | undefined
  readonly name: string
  readonly order: string[]

  constructor(name = '', order: string[] = []) {
    this.name = name
    this.order = order
  }

  admitted(permit: Permit): void {
    this.permit = permit
    this.order.push(this.name)
  }

  rejected(rejection: Rejection): void {
    this.rejection = rejection
  }
}

function admitted(decision: Decision): Permit {
  if (decision.status !== 'admitted') throw new Error(`expected a permit, got ${decision}`)
  return decision.permit
}

function waiting(decision: Decision): Ticket {
  if (decision.status !== 'waiting') throw new Error(`expected a ticket, got ${decision}`)
  return decision
}

function fill(door: Door, count: number): Permit[] {
  return Array.from({ length: count }, () => admitted(door.offer()))
}

describe('permits', () => {
  it('C05: are not handed to a waiter who gave up', () => {
    const { door, runtime } = setUp({ limit: 8, waitMaxMs: 50 })
    const held = fill(door, 8)
    const notes = Array.from({ length: 8 }, () => new Note())
    for (const note of notes) waiting(door.offer({}, note))
    runtime.runUntil(60)
    for (const permit of held) permit.settle('success')
    expect(door.inFlight).toBe(0)
    expect(notes.map((note) => note.rejection?.reason)).toEqual(Array(8).fill('capacity'))
    expect(door.offer().status).toBe('admitted')
  })

  it('C06: go on to a smaller waiter in the instant the large one before it leaves', () => {
    const { door } = setUp({ limit: 3 })
    admitted(door.offer({ cost: 2 }))
    const large = waiting(door.offer({ cost: 2 }, new Note()))
    const small = new Note()
    waiting(door.offer({ cost: 1 }, small))
    large.leave()
    expect(small.permit?.status).toBe('admitted')
    expect(door.inFlight).toBe(3)
  })

  it('C12: are not handed on while a lowered limit is exceeded', () => {
    const { door } = setUp({ limit: 10 })
    const held = fill(door, 10)
    const notes = Array.from({ length: 5 }, () => new Note())
    for (const note of notes) waiting(door.offer({}, note))
    door.setLimit(3)
    for (const permit of held.slice(0, 7)) permit.settle('success')
    expect(notes.filter((note) => note.permit !== undefined)).toHaveLength(0)
    held[7]?.settle('success')
    expect(notes.filter((note) => note.permit !== undefined)).toHaveLength(1)
    expect(door.inFlight).toBe(3)
  })

  it('go to everyone who fits in the instant the limit is raised', () => {
    const { door } = setUp({ limit: 1 })
    fill(door, 1)
    const notes = Array.from({ length: 3 }, () => new Note())
    for (const note of notes) waiting(door.offer({}, note))
    door.setLimit(3)
    expect(notes.map((note) => note.permit !== undefined)).toEqual([true, true, false])
  })

  it('C13: pass by a waiter whose caller has gone', () => {
    const { door } = setUp({ limit: 1 })
    const [held] = fill(door, 1)
    const gone = new Note()
    const next = new Note()
    const ticket = waiting(door.offer({}, gone))
    waiting(door.offer({}, next))
    expect(ticket.leave()).toBe(true)
    expect(door.waiting).toBe(1)
    held?.settle('success')
    expect(gone.permit).toBeUndefined()
    expect(next.permit).toBeDefined()
    expect(door.snapshot().cancelled).toBe(1)
  })

  it('C16: that are never settled are taken back once, and a late settle changes nothing', () => {
    const { door, runtime } = setUp({ limit: 3, permitAgeMaxMs: 60_000 })
    const lost = fill(door, 3)
    runtime.advance(61_000)
    expect(door.snapshot()).toMatchObject({ running: 0, inFlight: 0, reclaimed: 3 })
    const [fresh] = fill(door, 1)
    expect(lost[0]?.settle('success')).toBe(false)
    expect(door.snapshot()).toMatchObject({ running: 1, reclaimed: 3, lateSettles: 1, success: 0 })
    fresh?.settle('success')
    expect(door.inFlight).toBe(0)
  })

  it('are taken back at their own age, also when newer ones were handed on meanwhile', () => {
    const { door, runtime } = setUp({ limit: 2, permitAgeMaxMs: 1000 })
    fill(door, 1)
    runtime.advance(600)
    fill(door, 1)
    const note = new Note()
    runtime.advance(300)
    waiting(door.offer({}, note))
    runtime.advance(100)
    expect(note.permit).toBeDefined()
    runtime.advance(600)
    expect(door.snapshot().reclaimed).toBe(2)
  })

  it('C65: of a cost that can never fit are refused at once, without a time to try again', () => {
    const { door } = setUp({ limit: 5 })
    const decision = door.offer({ cost: 6 }, new Note())
    expect(decision).toMatchObject({
      status: 'rejected',
      reason: 'capacity',
      retryAfterMs: undefined,
      retryable: false,
    })
    expect(door.offer({ cost: 5 }).status).toBe('admitted')
  })

  it('refuse a waiter that a lowered limit can never fit, and serve who stands behind it', () => {
    const { door } = setUp({ limit: 4 })
    const [held] = fill(door, 1)
    const large = new Note()
    const small = new Note()
    waiting(door.offer({ cost: 4 }, large))
    waiting(door.offer({ cost: 1 }, small))
    door.setLimit(2)
    expect(large.rejection?.reason).toBe('capacity')
    expect(small.permit).toBeDefined()
    held?.settle('success')
  })
})

describe('the queue', () => {
  it('hands the slot to the oldest waiter when a permit is settled', () => {
    const { door } = setUp({ limit: 1 })
    const order: string[] = []
    let [held] = fill(door, 1)
    const notes = ['a', 'b', 'c'].map((name) => new Note(name, order))
    for (const note of notes) waiting(door.offer({}, note))
    for (const note of notes) {
      held?.settle('success')
      held = note.permit
    }
    expect(order).toEqual(['a', 'b', 'c'])
  })

  it('does not let a newcomer take a slot that a waiter is due', () => {
    const { door } = setUp({ limit: 1 })
    const [held] = fill(door, 1)
    const newcomer: Decision[] = []
    const waiter: Waiter = {
      admitted: (permit) => {
        newcomer.push(door.offer())
        permit.settle('success')
      },
      rejected: () => {},
    }
    const second = new Note()
    waiting(door.offer({}, waiter))
    waiting(door.offer({}, second))
    held?.settle('success')
    expect(newcomer[0]?.status).toBe('rejected')
    expect(second.permit).toBeDefined()
  })

  it('C24: refuses nothing of a first burst that fits limit and queue', () => {
    const { door } = setUp({ limit: 10, queueDepthMax: 40 })
    const decisions = Array.from({ length: 50 }, () => door.offer({}, new Note()))
    expect(decisions.filter((decision) => decision.status === 'rejected')).toHaveLength(0)
    expect(door.offer({}, new Note()).status).toBe('rejected')
  })

  it('C45: works off no backlog of the dead after the loop stood still', () => {
    const { door, runtime } = setUp({ limit: 1, waitMaxMs: 30_000 })
    const [held] = fill(door, 1)
    const dead = Array.from({ length: 100 }, () => new Note())
    for (const note of dead) waiting(door.offer({ deadlineMs: 30_000 }, note))
    runtime.stall(60_000)
    held?.settle('success')
    expect(dead.filter((note) => note.permit !== undefined)).toHaveLength(0)
    expect(dead.every((note) => note.rejection?.stage === 'queue')).toBe(true)
    expect(door.offer().status).toBe('admitted')
  })

  it('C47: answers everyone when the longest wait is over, and the next release serves the living', () => {
    const { door, runtime } = setUp({ limit: 1, waitMaxMs: 200 })
    const [held] = fill(door, 1)
    const stale = Array.from({ length: 5 }, () => new Note())
    for (const note of stale) waiting(door.offer({ deadlineMs: 10_000 }, note))
    runtime.runUntil(201)
    expect(stale.map((note) => note.rejection?.reason)).toEqual(Array(5).fill('capacity'))
    const live = new Note()
    waiting(door.offer({}, live))
    held?.settle('success')
    expect(live.permit).toBeDefined()
  })

  it('C49: forgets waiters that left instead of working through them', async () => {
    const { door } = setUp({ limit: 1 })
    const [held] = fill(door, 1)
    const controller = new AbortController()
    const gone = Array.from({ length: 10 }, () => door.run(() => 'ran', { signal: controller.signal }))
    const outcomes = Promise.allSettled(gone)
    const live = door.run(() => 'live')
    controller.abort(new Error('left'))
    expect(door.waiting).toBe(1)
    held?.settle('success')
    expect(await live).toBe('live')
    expect((await outcomes).map((outcome) => outcome.status)).toEqual(Array(10).fill('rejected'))
  })

  it('refuses on arrival who would wait too long, and lets in who would not', () => {
    const { door, runtime } = setUp({ limit: 5, waitMaxMs: 200 })
    // Five at 50 ms: 100 a second.
    for (let round = 0; round < 20; round++) {
      const permits = fill(door, 5)
      runtime.advance(50)
      for (const permit of permits) permit.settle('success')
    }
    fill(door, 5)
    const statuses = Array.from({ length: 40 }, () => door.offer({}, new Note()).status)
    const let_in = statuses.filter((status) => status === 'waiting').length
    // 200 ms × 100/s is 20; the door keeps a fifth of the longest wait for what it cannot know.
    expect(let_in).toBeGreaterThanOrEqual(15)
    expect(let_in).toBeLessThanOrEqual(20)
    expect(statuses.slice(let_in)).toEqual(Array(40 - let_in).fill('rejected'))
  })
})

describe('deadlines', () => {
  it('refuse at the door what cannot finish in time, once service times are known', () => {
    const { door, runtime } = setUp({ limit: 1 })
    for (let index = 0; index < 10; index++) {
      const permit = admitted(door.offer())
      runtime.advance(50)
      permit.settle('success')
    }
    expect(door.offer({ deadlineMs: 30 })).toMatchObject({ reason: 'deadline', stage: 'door', retryAfterMs: undefined })
    admitted(door.offer({ deadlineMs: 60 })).settle('success')
    expect(door.offer({ deadlineMs: 0 })).toMatchObject({ reason: 'deadline' })
    expect(door.offer({ deadlineMs: -5 })).toMatchObject({ reason: 'deadline', remainingMs: -5 })
  })

  it('tell a class that is quick from one that is slow', () => {
    const { door, runtime } = setUp({ limit: 2 })
    for (let index = 0; index < 10; index++) {
      const slow = admitted(door.offer({ class: 'slow' }))
      runtime.advance(5)
      admitted(door.offer({ class: 'quick' })).settle('success')
      runtime.advance(195)
      slow.settle('success')
    }
    expect(door.offer({ class: 'slow', deadlineMs: 50 }).status).toBe('rejected')
    expect(door.offer({ class: 'quick', deadlineMs: 50 }).status).toBe('admitted')
  })

  it('end a wait early enough for the refusal to arrive', () => {
    const { door, runtime } = setUp({ limit: 1, waitMaxMs: 500 })
    fill(door, 1)
    const note = new Note()
    waiting(door.offer({ deadlineMs: 100 }, note))
    runtime.runUntil(98)
    expect(note.rejection).toBeUndefined()
    runtime.runUntil(99)
    expect(note.rejection).toMatchObject({ reason: 'deadline', stage: 'queue' })
  })
})

describe('a drain', () => {
  it('serves what waits, refuses newcomers, and ends when the last has ended', () => {
    const { door, runtime } = setUp({ limit: 1 })
    const [held] = fill(door, 1)
    const note = new Note()
    waiting(door.offer({}, note))
    const ends: unknown[] = []
    door.close(1000, (result) => ends.push(result))
    door.close(5, (result) => ends.push(result))
    expect(door.offer({}, new Note())).toMatchObject({ reason: 'closing', stage: 'door' })
    runtime.advance(50)
    held?.settle('success')
    expect(note.permit).toBeDefined()
    expect(ends).toEqual([])
    note.permit?.settle('success')
    expect(ends).toEqual([
      { drained: true, running: 0 },
      { drained: true, running: 0 },
    ])
    expect(runtime.timersPending).toBe(0)
  })

  it('tells those who still wait when the grace period is over, and says what still runs', () => {
    const { door, runtime } = setUp({ limit: 1, waitMaxMs: 10_000 })
    fill(door, 1)
    const note = new Note()
    waiting(door.offer({ deadlineMs: 9000 }, note))
    const ends: unknown[] = []
    door.close(3000, (result) => ends.push(result))
    runtime.advance(3000)
    expect(note.rejection).toMatchObject({ reason: 'closing', stage: 'queue' })
    expect(ends).toEqual([{ drained: false, running: 1 }])
  })
})

describe('callbacks of users', () => {
  it('that throw lose no permit and no waiter', () => {
    const { door, runtime } = setUp({
      limit: 1,
      observer: {
        admitted: () => {
          throw new Error('observer')
        },
      },
    })
    const [held] = fill(door, 1)
    const broken: Waiter = {
      admitted: () => {
        throw new Error('waiter')
      },
      rejected: () => {},
    }
    const next = new Note()
    waiting(door.offer({}, broken))
    waiting(door.offer({}, next))
    held?.settle('success')
    expect(next.permit).toBeDefined()
    expect(door.inFlight).toBe(1)
    expect(door.snapshot().callbackErrors).toBe(4)
    expect(runtime.reported.map(String)).toContain('Error: waiter')
  })
})
