// Refusals, by reason. Every decision is kept in an array that was there before, so that nothing is optimised away and
// everything that a refusal allocates is still there to be counted.

import { type Arrival, createAdmission, createQuota, type Door, type Waiter } from 'spillway'
import type { Contender } from '../contender.ts'

const KEPT = 20_000
const plain: Arrival = Object.freeze({})
const patient: Waiter = { admitted() {}, rejected() {} }

/** No room, and nobody to wait. */
export function capacity(): Contender {
  return refuserOf(fullDoor({ limit: 1 }), plain)
}

/** No room, and the queue is full. */
export function queueFull(): Contender {
  const door = fullDoor({ limit: 1, queueDepthMax: 100, waitMaxMs: 300_000, deadlineMs: 3_600_000 })
  for (let i = 0; i < 100; i++) door.offer(plain, patient)
  return refuserOf(door, plain, patient)
}

/** The deadline has passed on arrival. */
export function deadline(): Contender {
  return refuserOf(createAdmission({ limit: 1 }), { deadlineMs: 0 })
}

/** The process drains. */
export function closing(): Contender {
  const door = fullDoor({ limit: 1 })
  door.close(600_000, () => {})
  return refuserOf(door, plain)
}

/** The caller has used its share. */
export function quota(): Contender {
  const door = createAdmission({ limit: 10, quota: createQuota({ limit: '1/day' }) })
  const arrival: Arrival = { key: 'a tenant' }
  door.offer(arrival)
  return refuserOf(door, arrival)
}

/** The promise edge: the refusal becomes an exception, with its stack. */
export function runRefused(): Contender {
  const door = fullDoor({ limit: 1, waitMaxMs: 0 })
  const kept: unknown[] = new Array(KEPT).fill(undefined)
  let index = 0
  return {
    async caller(times) {
      for (let i = 0; i < times; i++) {
        try {
          await door.run(never)
        } catch (error) {
          kept[index] = error
        }
        index = index + 1 === KEPT ? 0 : index + 1
      }
    },
    check: () => checkAll(kept, 'SPILLWAY_REJECTED', (error) => (error as { code: string }).code),
  }
}

/** What a refusal cannot be smaller than: an object with as many fields. */
export function plainObject(): Contender {
  const kept: unknown[] = new Array(KEPT).fill(undefined)
  let index = 0
  return {
    caller(times) {
      for (let i = 0; i < times; i++) {
        kept[index] = {
          reason: 'capacity',
          stage: 'door',
          limit: 1,
          inFlight: 1,
          waiting: i,
          wait: i,
          left: i,
          retry: i,
        }
        index = index + 1 === KEPT ? 0 : index + 1
      }
    },
  }
}

function refuserOf(door: Door, arrival: Arrival, waiter?: Waiter): Contender {
  const kept: unknown[] = new Array(KEPT).fill(undefined)
  let index = 0
  return {
    caller(times) {
      for (let i = 0; i < times; i++) {
        kept[index] = door.offer(arrival, waiter)
        index = index + 1 === KEPT ? 0 : index + 1
      }
    },
    check: () => checkAll(kept, 'rejected', (decision) => (decision as { status: string }).status),
  }
}

function fullDoor(options: Parameters<typeof createAdmission>[0]): Door {
  const door = createAdmission(options)
  door.offer()
  return door
}

function checkAll(kept: readonly unknown[], right: string, of: (item: unknown) => string): void {
  for (const item of kept)
    if (item !== undefined && of(item) !== right) throw new Error(`a decision was ${of(item)}, not ${right}`)
}

function never(): never {
  throw new Error('work that was to be refused has run')
}
