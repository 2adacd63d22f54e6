// Spillway's door in the forms that people use it in, made by the default createAdmission on the real clock. Waits and
// deadlines are long, which changes no path: a machine that is busy elsewhere for a second must not turn those who wait
// into refusals in the middle of a measurement.

import { type Arrival, createAdmission, type Door, type Permit, type Waiter } from 'spillway'
import { type Contender, WAITING } from '../contender.ts'
import { resolved } from './floors.ts'

const LIMIT_FREE = 10
const long = { waitMaxMs: 60_000, deadlineMs: 600_000 }
// Everything that people say about an arrival most often.
const labelled: Arrival = { class: 'GET /orders', criticality: 'critical', deadlineMs: 600_000, attempt: 1 }

export function offerSettle(): Contender {
  const door = createAdmission({ limit: LIMIT_FREE, ...long })
  return {
    caller(times) {
      for (let i = 0; i < times; i++) {
        const decision = door.offer()
        if (decision.status === 'admitted') decision.settle('success')
      }
    },
    check: () => checkNothingRefused(door),
  }
}

export function offerSettleLabelled(): Contender {
  const door = createAdmission({ limit: LIMIT_FREE, ...long })
  return {
    caller(times) {
      for (let i = 0; i < times; i++) {
        const decision = door.offer(labelled)
        if (decision.status === 'admitted') decision.settle('success')
      }
    },
    check: () => checkNothingRefused(door),
  }
}

/** Each operation queues one more and settles what runs, which hands its slot to the oldest of the hundred. */
export function offerSettleWaiting(): Contender {
  const door = createAdmission({ limit: 1, ...long })
  let running = door.offer() as Permit
  const waiter: Waiter = {
    admitted(permit) {
      running = permit
    },
    rejected() {},
  }
  for (let i = 0; i < WAITING; i++) door.offer(undefined, waiter)
  return {
    caller(times) {
      for (let i = 0; i < times; i++) {
        door.offer(undefined, waiter)
        running.settle('success')
      }
    },
    check() {
      checkNothingRefused(door)
      if (door.waiting !== WAITING) throw new Error(`${door.waiting} wait, not ${WAITING}`)
    },
  }
}

export const run = (): Contender => runOf(LIMIT_FREE)
export const runWaiting = (): Contender => ({ ...runOf(1), callers: WAITING + 1 })
export const acquire = (): Contender => acquireOf(LIMIT_FREE)
export const acquireWaiting = (): Contender => ({ ...acquireOf(1), callers: WAITING + 1 })

function runOf(limit: number): Contender {
  const door = createAdmission({ limit, ...long })
  return {
    async caller(times) {
      for (let i = 0; i < times; i++) await door.run(resolved)
    },
    check: () => checkNothingRefused(door),
  }
}

/** Work that returns no promise: what `run` costs without the promise of the work. */
export function runSynchronous(): Contender {
  const door = createAdmission({ limit: LIMIT_FREE, ...long })
  const work = (): void => {}
  return {
    async caller(times) {
      for (let i = 0; i < times; i++) await door.run(work)
    },
    check: () => checkNothingRefused(door),
  }
}

function acquireOf(limit: number): Contender {
  const door = createAdmission({ limit, ...long })
  return {
    async caller(times) {
      for (let i = 0; i < times; i++) {
        const permit = await door.acquire()
        permit.settle('success')
      }
    },
    check: () => checkNothingRefused(door),
  }
}

function checkNothingRefused(door: Door): void {
  const { rejected, callbackErrors } = door.snapshot()
  const refused = Object.values(rejected).reduce((sum, { door: atDoor, queue }) => sum + atDoor + queue, 0)
  if (refused > 0 || callbackErrors > 0) throw new Error(`${refused} refused, ${callbackErrors} callbacks threw`)
}
