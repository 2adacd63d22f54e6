// One of three servers fails at once what it is given, for ten seconds. To a balancer that counts connections it looks like the
// idlest, and gets nearly everything.

import { planOf } from '../plan.ts'
import type { Scenario } from '../scenario.ts'
import { atLeast, served } from './criteria.ts'
import { deadlineMs, referenceService } from './reference-service.ts'

const replicas = 3
const capacityPerS = replicas * 400
const fromMs = 20_000
const toMs = 30_000
const multiple = 0.6
const plan = planOf(capacityPerS, [
  { name: 'warm-up', lengthMs: 5000, multiple: 0.5 },
  { name: 'baseline', lengthMs: 15_000, multiple },
  { name: 'stress', lengthMs: toMs - fromMs, multiple, capacityPerS: (capacityPerS * 2) / 3 },
  { name: 'recovery', lengthMs: 30_000, multiple },
])

export const s28: Scenario = {
  id: 'S28',
  title: 'Sinkhole',
  services: { servers: { ...referenceService, fleet: { replicas, balancer: 'least-connections' } } },
  traffic: [{ arrivals: { perS: plan.rate }, client: { timeoutMs: deadlineMs } }],
  phases: plan.phases,
  capacityPerS,
  deadlineMs,
  faults: [{ kind: 'outage', service: 'servers', instance: 0, failMs: 0, fromMs, toMs }],
  asks: 'at least 60 % served throughout, and the failing server left out',
  passes: (run) => [served(run, 0.6), atLeast('ejections', 1, run.services.servers?.ejections)],
}
