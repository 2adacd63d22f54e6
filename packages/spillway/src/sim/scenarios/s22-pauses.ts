// The process stops for half a second, six times, every five seconds, and then once for one and a half: a garbage collector, a
// snapshot of the machine. Everything that came meanwhile is read at once afterwards.

import { intervalsBetween } from '../../verdict/series.ts'
import type { Fault } from '../fault.ts'
import type { Scenario, SimulatedRun } from '../scenario.ts'
import { atMost, attempts, recovery } from './criteria.ts'
import { referenceScenario, threeAttempts } from './reference-service.ts'

const fromMs = 20_000
const everyMs = 5000
const short = Array.from({ length: 6 }, (_, index) => ({ fromMs: fromMs + index * everyMs, lengthMs: 500 }))
const pauses = [...short, { fromMs: fromMs + 6 * everyMs, lengthMs: 1500 }]

export const s22: Scenario = referenceScenario(
  [{ name: 'stress', lengthMs: 7 * everyMs, multiple: 0.7 }],
  threeAttempts,
  {
    id: 'S22',
    title: 'Pauses',
    faults: pauses.map(
      ({ fromMs: at, lengthMs }): Fault => ({ kind: 'pause', service: 'service', fromMs: at, toMs: at + lengthMs }),
    ),
    asks: 'full service again within a second of each pause, attempts at most 1.1 × first attempts',
    passes: (run) => [atMost('slowest return from a pause, s', 1, slowest(run)), recovery(run, 1), attempts(run)],
  },
)

// From the end of a pause to the first of five intervals that are nearly all good; undefined when one never comes.
function slowest(run: SimulatedRun): number | undefined {
  const returns = pauses.map(({ fromMs: at, lengthMs }) => {
    const after = intervalsBetween(run, at + lengthMs, at + everyMs)
    const first = after.findIndex((_, index) => {
      const next = after.slice(index, index + 5)
      const offered = next.reduce((sum, interval) => sum + interval.offered, 0)
      return next.length === 5 && next.reduce((sum, { good }) => sum + good, 0) >= 0.95 * offered
    })
    return first === -1 ? Infinity : (first * run.intervalMs) / 1000
  })
  const worst = Math.max(...returns)
  return worst === Infinity ? undefined : worst
}
