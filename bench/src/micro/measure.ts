// Times one contender: the median of many short batches, which the batches that were preempted or met the collector do
// not move. The loop of a batch is the contender's own, because what people write is `const permit = await
// door.acquire()` inline: a wrapper that a loop of ours could call would cost a second promise, half of the whole.
//
// mitata's `measure` was tried and does not fit repeats that are short and many. It allocates 8 MB for its samples in the
// process that it measures, V8 answers by growing the young generation into fresh memory, and touching that for the first
// time costs ten times what is measured, for 100 ms. Its own warm-up is three calls, and its heap reading drops whatever
// the collector touched. Its `do_not_optimize` is used.

import { Allocation } from '../allocated.ts'
import type { Contender } from './contender.ts'

// Processor time, of all threads, before anything counts. A door is optimised after some 100 ms of it: until then it is
// five times slower, and allocates numbers that it later keeps in registers.
const WARM_UP_MS = 400
// Twice as long, a batch is likelier preempted than not on a busy machine; half as long, the clock shows in it.
const BATCH_MS = 0.5
const TIMED_MS = 100
const SAMPLES_MIN = 15
// Callers side by side need a while to fill the queue and to leave it: this many times each, and both are 1 % of a batch.
const TIMES_WAITING = 100
const QUICK_OPERATIONS = 200
// Bytes are counted over this many: the bar of a refusal is set over 20 000.
const ALLOCATION_OPERATIONS = 20_000

export interface Measured {
  readonly ns: number
  readonly bytes: number
}

export async function measureContender(contender: Contender, quick: boolean): Promise<Measured> {
  const warm = await warmUp(contender, quick ? 1 : WARM_UP_MS)
  const ns = await time(contender, quick ? QUICK_OPERATIONS : BATCH_MS / warm, quick ? 1 : TIMED_MS)
  const bytes = await countBytes(contender, quick ? QUICK_OPERATIONS : ALLOCATION_OPERATIONS)
  contender.check?.()
  return { ns, bytes }
}

// Resolves to the ms that an operation took in the end.
async function warmUp(contender: Contender, warmUpMs: number): Promise<number> {
  const batch = batchOf(contender, QUICK_OPERATIONS)
  globalThis.gc?.()
  const before = process.cpuUsage()
  for (;;) {
    const startedAt = performance.now()
    await batch.call()
    const perOperationMs = (performance.now() - startedAt) / batch.operations
    const { user, system } = process.cpuUsage(before)
    if ((user + system) / 1000 >= warmUpMs) return perOperationMs
  }
}

async function time(contender: Contender, about: number, timedMs: number): Promise<number> {
  const batch = batchOf(contender, about)
  const samples: number[] = []
  const endsAt = performance.now() + timedMs
  for (let now = performance.now(); samples.length < SAMPLES_MIN || now < endsAt; ) {
    await batch.call()
    const endedAt = performance.now()
    samples.push(endedAt - now)
    now = endedAt
  }
  samples.sort((a, b) => a - b)
  return ((samples[samples.length >> 1] as number) * 1e6) / batch.operations
}

async function countBytes(contender: Contender, about: number): Promise<number> {
  const batch = batchOf(contender, about)
  const allocation = new Allocation()
  await batch.call()
  return Math.max(0, allocation.end() / batch.operations)
}

interface Batch {
  readonly call: () => unknown
  readonly operations: number
}

function batchOf({ caller, callers = 1 }: Contender, about: number): Batch {
  if (callers === 1) {
    const operations = Math.max(QUICK_OPERATIONS, Math.ceil(about))
    return { call: () => caller(operations), operations }
  }
  const times = about === QUICK_OPERATIONS ? 2 : Math.max(TIMES_WAITING, Math.ceil(about / callers))
  const call = () => Promise.all(Array.from({ length: callers }, () => caller(times)))
  return { call, operations: times * callers }
}
