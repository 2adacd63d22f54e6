// The published table of the tick model and the answers to its exercises, as plain data for reports and tests.

import { publishedPlan, runTicks, type Tick, type TickPlan, type TickPolicy } from './model.ts'

/** One policy's row: goodput per tick in four spans, to one decimal, then whole counts over the run. */
export interface TickRow {
  readonly policy: string
  readonly before: number
  readonly spike: number
  readonly after: number
  readonly longAfter: number
  readonly wasted: number
  readonly rejected: number
  readonly peakQueue: number
}

/** A row of an exercise, with what the exercise asks for. */
export interface TickExercise extends TickRow {
  readonly asks: string
  /** First tick after the spike from which five in a row serve 95 % of what arrives fresh; null when there is none. */
  readonly goodAgainFromTick: number | null
  /** Attempts in the spike, per tick: sent to the server, and refused by the clients themselves. */
  readonly reachedInSpike: number
  readonly throttledInSpike: number
}

/** Goodput of the bounded server when its refusals cost a fifth of a request, at one steady load. */
export interface RefusalPoint {
  readonly offered: number
  /** Attempts that reached the server, refusals and goodput per tick, to one decimal. */
  readonly attempts: number
  readonly refused: number
  readonly goodput: number
  /** What arithmetic says: (C − r·attempts) / (1 − r), between zero and the capacity. */
  readonly predicted: number
}

const spans = { before: [0, 50], spike: [50, 100], after: [100, 150], longAfter: [250, 300] } as const
const refusalShare = 0.2

const plain: TickPolicy = {
  order: 'fifo',
  dropsLate: false,
  bound: Infinity,
  refusalCost: 0,
  retries: true,
  throttleK: undefined,
}
// Two and a half ticks of work: half of what clients wait for.
const bounded: TickPolicy = { ...plain, dropsLate: true, bound: 250 }

const policies: readonly (readonly [name: string, policy: TickPolicy])[] = [
  ['unbounded FIFO', plain],
  ['deadline drop', { ...plain, dropsLate: true }],
  ['adaptive LIFO', { ...plain, order: 'adaptive-lifo' }],
  ['bounded + shed', bounded],
]

const exercises: readonly (readonly [name: string, policy: TickPolicy, asks: string])[] = [
  ['unbounded FIFO without retry', { ...plain, retries: false }, 'Does it recover when nobody retries, and when?'],
  [
    'LIFO + deadline drop',
    { ...plain, order: 'adaptive-lifo', dropsLate: true },
    'What becomes of the wasted work of adaptive LIFO?',
  ],
  [
    'bounded + shed, refusal costs a fifth',
    { ...bounded, refusalCost: refusalShare },
    'What do refusals cost when one takes a fifth of a request?',
  ],
  [
    'bounded + shed, clients with K = 2',
    { ...bounded, throttleK: 2 },
    'How many requests reach the server when clients hold back?',
  ],
  [
    'bounded + shed, refusal costs a fifth, clients with K = 2',
    { ...bounded, refusalCost: refusalShare, throttleK: 2 },
    'What is it worth that clients hold back when refusals cost?',
  ],
]

/** The four policies of the published table, in its order. */
export function tickTable(): readonly TickRow[] {
  return policies.map(([name, policy]) => row(name, runTicks(policy)))
}

/** The exercises that can be measured; the last one, finding unbounded queues, is checklist.ts. */
export function tickExercises(): readonly TickExercise[] {
  return exercises.map(([name, policy, asks]) => {
    const series = runTicks(policy)
    return {
      ...row(name, series),
      asks,
      goodAgainFromTick: goodAgainFrom(series, spans.spike[1]),
      reachedInSpike: perTick(series, spans.spike, 'reached'),
      throttledInSpike: perTick(series, spans.spike, 'throttled'),
    }
  })
}

/**
 * When refusals that cost a fifth begin to eat the goodput: with the first one, since whatever refuses is already busy; and
 * all of it is gone at 500 attempts a tick, five times the capacity, which 250 that each retry once amount to.
 */
export function refusalSweep(loads: readonly number[] = [80, 100, 120, 140, 160, 200, 250, 300]): RefusalPoint[] {
  return loads.map((load) => {
    const plan: TickPlan = { ...publishedPlan, loadAt: () => load }
    const series = runTicks({ ...bounded, refusalCost: refusalShare }, plan)
    // The first ticks fill the queue.
    const settled = [20, plan.ticks] as const
    const attempts = perTick(series, settled, 'reached')
    const predicted = (plan.capacity - refusalShare * attempts) / (1 - refusalShare)
    return {
      offered: load,
      attempts,
      refused: perTick(series, settled, 'rejected'),
      goodput: perTick(series, settled, 'good'),
      predicted: oneDecimal(Math.min(attempts, Math.max(0, predicted))),
    }
  })
}

function row(policy: string, series: readonly Tick[]): TickRow {
  return {
    policy,
    before: perTick(series, spans.before, 'good'),
    spike: perTick(series, spans.spike, 'good'),
    after: perTick(series, spans.after, 'good'),
    longAfter: perTick(series, spans.longAfter, 'good'),
    wasted: total(series, 'wasted'),
    rejected: total(series, 'rejected'),
    peakQueue: Math.max(...series.map(({ peak }) => peak)),
  }
}

function goodAgainFrom(series: readonly Tick[], from: number): number | null {
  const inARow = 5
  for (let tick = from; tick + inARow <= series.length; tick++) {
    if (series.slice(tick, tick + inARow).every(({ good, fresh }) => good >= 0.95 * fresh)) return tick
  }
  return null
}

function perTick(series: readonly Tick[], [from, to]: readonly [number, number], what: keyof Tick): number {
  return oneDecimal(total(series.slice(from, to), what) / (to - from))
}

function total(series: readonly Tick[], what: keyof Tick): number {
  return series.reduce((sum, tick) => sum + tick[what], 0)
}

function oneDecimal(value: number): number {
  return Number(value.toFixed(1))
}
