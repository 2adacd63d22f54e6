// Two thousand calls at one instant, and callers who all wait exactly a second before they try again: the burst comes back,
// second after second, on top of the usual load.

import { usualPlan } from '../plan.ts'
import type { ClientPlan, Scenario, SimulatedRun } from '../scenario.ts'
import { atMost, recovery } from './criteria.ts'
import { capacityPerS, deadlineMs, onPlan } from './reference-service.ts'

const atMs = 20_000
const burst = 2000
const waveMs = 1250
const plan = usualPlan(capacityPerS, [{ name: 'stress', lengthMs: 5000, multiple: 0.7 }])
const client: ClientPlan = { timeoutMs: deadlineMs, attempts: 6, backOff: { kind: 'fixed', ms: 1000 }, overallMs: 5000 }

export const s18: Scenario = onPlan(plan, client, {
  id: 'S18',
  title: 'Synchronised retries',
  traffic: [
    { name: 'clients', arrivals: { perS: plan.rate }, client },
    { name: 'crowd', arrivals: { atMs: Array.from({ length: burst }, () => atMs) }, client },
  ],
  thresholds: { settleMs: 0, recoveryMaxMs: 10_000 },
  asks: 'waves after the first at most a quarter of it, back within 10 s',
  passes: (run) => [
    atMost('largest later wave ÷ first', 0.25, laterWaves(run)),
    recovery(run, 10, { recoveryMaxMs: 10_000 }),
  ],
})

// Attempts beyond first ones, where the crowd comes back together.
function laterWaves(run: SimulatedRun): number {
  const retries = run.intervals.flatMap(({ fromMs, attempts, offered }) =>
    fromMs > atMs + waveMs / 2 && fromMs < atMs + 5000 ? [Math.max(0, attempts - offered)] : [],
  )
  return Math.max(0, ...retries) / burst
}
