// Everything that is measured in a process of its own: one line each. The names are those of the rows.

import type { ContenderFactory } from '../contender.ts'
import * as door from './door.ts'
import * as fifo from './fifo-semaphore.ts'
import * as floors from './floors.ts'
import * as peers from './peers.ts'
import * as refusals from './refusals.ts'

export const contenders = {
  counter: floors.counter,
  'two performance.now()': floors.clockTwice,
  'awaited async function': floors.asyncFunction,
  'offer + settle': door.offerSettle,
  'offer + settle, labelled': door.offerSettleLabelled,
  run: door.run,
  'run, synchronous work': door.runSynchronous,
  'acquire + settle': door.acquire,
  'FIFO semaphore': fifo.fifoSemaphore,
  'p-limit': peers.pLimit,
  'p-queue': peers.pQueue,
  'cockatiel bulkhead': peers.cockatiel,
  opossum: peers.opossum,
  'async-sema': peers.asyncSema,
  'awaited async function, 101 callers': floors.asyncFunctionWaiting,
  'offer + settle, 100 waiting': door.offerSettleWaiting,
  'run, 100 waiting': door.runWaiting,
  'acquire + settle, 100 waiting': door.acquireWaiting,
  'FIFO semaphore, 100 waiting': fifo.fifoSemaphoreWaiting,
  'p-limit, 100 waiting': peers.pLimitWaiting,
  'p-queue, 100 waiting': peers.pQueueWaiting,
  'cockatiel bulkhead, 100 waiting': peers.cockatielWaiting,
  'async-sema, 100 waiting': peers.asyncSemaWaiting,
  'refused: capacity': refusals.capacity,
  'refused: capacity, queue full': refusals.queueFull,
  'refused: deadline': refusals.deadline,
  'refused: closing': refusals.closing,
  'refused: quota': refusals.quota,
  'run, refused': refusals.runRefused,
  'object of eight fields': refusals.plainObject,
} as const satisfies Record<string, ContenderFactory>

export type ContenderName = keyof typeof contenders
