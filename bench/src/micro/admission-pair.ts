// What the door costs when there is no overload, and when a hundred wait: offer and settle, run, acquire, beside what
// people use instead and beside what nothing can be faster than.

import type { Bench, Outcome, Settings } from '../bench.ts'
import { ratioOf, rowOf } from '../statistics.ts'
import type { ContenderName } from './contenders/index.ts'
import { measureInRounds } from './rounds.ts'

const names = [
  'counter',
  'two performance.now()',
  'awaited async function',
  'offer + settle',
  'offer + settle, labelled',
  'run',
  'run, synchronous work',
  'acquire + settle',
  'FIFO semaphore',
  'p-limit',
  'p-queue',
  'cockatiel bulkhead',
  'opossum',
  'async-sema',
  'awaited async function, 101 callers',
  'offer + settle, 100 waiting',
  'run, 100 waiting',
  'acquire + settle, 100 waiting',
  'FIFO semaphore, 100 waiting',
  'p-limit, 100 waiting',
  'p-queue, 100 waiting',
  'cockatiel bulkhead, 100 waiting',
  'async-sema, 100 waiting',
] as const satisfies readonly ContenderName[]

// Promised of the pair without waiting: synchronously, and awaited against one awaited resolved async function.
const PAIR_NS_MAX = 150
const AWAITED_RATIO_MAX = 1.2

// Peers that run work stand against `run`, peers that hand out a slot against `acquire`.
const runners = ['p-limit', 'p-queue', 'cockatiel bulkhead'] as const
const semaphores = ['FIFO semaphore', 'async-sema'] as const

export const admissionPair: Bench = {
  name: 'admission-pair',
  about: 'the door, free and with 100 waiting, beside a counter, an await and five packages',
  run,
}

async function run(settings: Settings, progress: (text: string) => void): Promise<Outcome> {
  const of = await measureInRounds(names, settings, progress)
  const pair = of('offer + settle')
  const awaited = of('awaited async function')
  const ratios: Record<string, number> = {
    'offerSettle/limit150ns': ratioOf(pair, { ns: pair.ns.map(() => PAIR_NS_MAX), bytes: [] }),
    'offerSettle/counter': ratioOf(pair, of('counter')),
    'offerSettle/twoClockReadings': ratioOf(pair, of('two performance.now()')),
    'awaitedRun/awaitedAsync': ratioOf(of('run'), awaited),
    'awaitedRunSynchronousWork/awaitedAsync': ratioOf(of('run, synchronous work'), awaited),
    'awaitedAcquire/awaitedAsync': ratioOf(of('acquire + settle'), awaited),
    'awaitedRun/(offerSettle+awaitedAsync)': ratioOf(of('run'), pair, awaited),
    'awaitedAcquire/(offerSettle+awaitedAsync)': ratioOf(of('acquire + settle'), pair, awaited),
    'awaitedRun/opossum': ratioOf(of('run'), of('opossum')),
  }
  for (const peer of runners) {
    ratios[`awaitedRun/${peer}`] = ratioOf(of('run'), of(peer))
    ratios[`awaitedRun100Waiting/${peer}`] = ratioOf(of('run, 100 waiting'), of(`${peer}, 100 waiting`))
  }
  for (const peer of semaphores) {
    ratios[`awaitedAcquire/${peer}`] = ratioOf(of('acquire + settle'), of(peer))
    ratios[`awaitedAcquire100Waiting/${peer}`] = ratioOf(
      of('acquire + settle, 100 waiting'),
      of(`${peer}, 100 waiting`),
    )
  }
  return {
    name: 'admission-pair',
    rows: names.map((name) => rowOf(name, of(name))),
    ratios,
    bars: [
      { about: 'offer + settle, free ÷ 150 ns', value: ratios['offerSettle/limit150ns'] as number, max: 1 },
      awaitedBar('run', ratios['awaitedRun/awaitedAsync'] as number),
      awaitedBar('acquire + settle', ratios['awaitedAcquire/awaitedAsync'] as number),
    ],
    notes: [
      'Each row is ns and bytes an operation, each repeat in a process of its own, default heap, after 400 ms of warm-up.',
      'opossum has no queue, so it has no row with 100 waiting.',
    ],
  }
}

function awaitedBar(name: string, value: number) {
  return { about: `awaited ${name} ÷ awaited resolved async function`, value, max: AWAITED_RATIO_MAX }
}
