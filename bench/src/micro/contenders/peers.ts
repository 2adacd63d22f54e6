// The packages that people limit concurrency with, each with the settings that cost it least: a limit that is not
// reached when free, a limit of 1 when a hundred wait. opossum runs without its time-out, which sets a timer per call
// and doubles its cost; it has no queue, so it has no row for waiting. A package is imported only where it is measured.

import { type Contender, WAITING } from '../contender.ts'
import { resolved } from './floors.ts'

const LIMIT_FREE = 10

export const pLimit = (): Promise<Contender> => pLimitOf(LIMIT_FREE)
export const pLimitWaiting = async (): Promise<Contender> => waiting(await pLimitOf(1))
export const pQueue = (): Promise<Contender> => pQueueOf(LIMIT_FREE)
export const pQueueWaiting = async (): Promise<Contender> => waiting(await pQueueOf(1))
export const cockatiel = (): Promise<Contender> => cockatielOf(LIMIT_FREE)
export const cockatielWaiting = async (): Promise<Contender> => waiting(await cockatielOf(1))
export const asyncSema = (): Promise<Contender> => asyncSemaOf(LIMIT_FREE)
export const asyncSemaWaiting = async (): Promise<Contender> => waiting(await asyncSemaOf(1))

export async function opossum(): Promise<Contender> {
  const { default: CircuitBreaker } = await import('opossum')
  const breaker = new CircuitBreaker(resolved, { timeout: false, capacity: LIMIT_FREE })
  return {
    async caller(times) {
      for (let i = 0; i < times; i++) await breaker.fire()
    },
    // Its window of statistics ticks for ever.
    check: () => breaker.shutdown(),
  }
}

function waiting(contender: Contender): Contender {
  return { ...contender, callers: WAITING + 1 }
}

async function pLimitOf(limit: number): Promise<Contender> {
  const { default: createLimit } = await import('p-limit')
  const limited = createLimit(limit)
  return {
    async caller(times) {
      for (let i = 0; i < times; i++) await limited(resolved)
    },
  }
}

async function pQueueOf(limit: number): Promise<Contender> {
  const { default: PQueue } = await import('p-queue')
  const queue = new PQueue({ concurrency: limit })
  return {
    async caller(times) {
      for (let i = 0; i < times; i++) await queue.add(resolved)
    },
  }
}

async function cockatielOf(limit: number): Promise<Contender> {
  const { bulkhead } = await import('cockatiel')
  const policy = bulkhead(limit, 2 * WAITING)
  return {
    async caller(times) {
      for (let i = 0; i < times; i++) await policy.execute(resolved)
    },
  }
}

async function asyncSemaOf(limit: number): Promise<Contender> {
  const { Sema } = await import('async-sema')
  const semaphore = new Sema(limit)
  return {
    async caller(times) {
      for (let i = 0; i < times; i++) {
        await semaphore.acquire()
        semaphore.release()
      }
    },
  }
}
