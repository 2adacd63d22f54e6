// One of two instances is told to stop while both have twice what they can do. Whoever was let in is answered; nobody sees an
// error that is not a refusal; and the instance is gone within its grace period.

import type { ThresholdOptions } from '../../verdict/thresholds.ts'
import { planOf } from '../plan.ts'
import type { Scenario, SimulatedRun } from '../scenario.ts'
import { atMost, holds } from './criteria.ts'
import { deadlineMs, capacityPerS as onePerS, referenceService } from './reference-service.ts'

const replicas = 2
const capacityPerS = replicas * onePerS
const atMs = 40_000
const graceMs = 5000
const plan = planOf(capacityPerS, [
  { name: 'warm-up', lengthMs: 5000, multiple: 0.5 },
  { name: 'baseline', lengthMs: 15_000, multiple: 0.35 },
  { name: 'stress both', lengthMs: 20_000, multiple: 2 },
  { name: 'stress one', lengthMs: 10_000, multiple: 2, capacityPerS: onePerS },
  { name: 'recovery', lengthMs: 30_000, multiple: 0.35, capacityPerS: onePerS },
])
const thresholds: ThresholdOptions = { p99MaxMs: 200 }

export const s29: Scenario = {
  id: 'S29',
  title: 'Shutdown under twice the load',
  services: { service: { ...referenceService, fleet: { replicas } } },
  traffic: [{ arrivals: { perS: plan.rate }, client: { timeoutMs: deadlineMs } }],
  phases: plan.phases,
  capacityPerS,
  deadlineMs,
  faults: [{ kind: 'shutdown', service: 'service', instance: 1, atMs, graceMs }],
  thresholds,
  asks: 'everyone who was let in is answered, no failure but refusals, and the instance is gone within its grace period',
  passes: (run) => [
    holds(run, thresholds),
    atMost('failures', 0, failures(run)),
    atMost('ms from the signal to the end', graceMs, run.services.service?.drainMs),
  ],
}

function failures(run: SimulatedRun): number {
  return run.intervals.reduce((sum, { failed }) => sum + failed, 0)
}
