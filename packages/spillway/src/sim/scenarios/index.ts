// The scenarios that come with the simulator: a file each, and a line here.

import type { Scenario } from '../scenario.ts'
import { s01 } from './s01-steady-2x.ts'
import { s02 } from './s02-steady-5x.ts'
import { s03 } from './s03-steady-10x.ts'
import { s04 } from './s04-staircase.ts'
import { s05 } from './s05-ramp.ts'
import { s06 } from './s06-spike.ts'
import { s07 } from './s07-spike-with-retries.ts'
import { s08 } from './s08-spike-polite-retries.ts'
import { s09 } from './s09-burst-train.ts'
import { s10 } from './s10-heavy-tail.ts'
import { s11 } from './s11-slow-dependency.ts'
import { s12 } from './s12-outage.ts'
import { s13 } from './s13-black-hole.ts'
import { s14 } from './s14-capacity-loss.ts'
import { s15 } from './s15-tenant-burst.ts'
import { s16 } from './s16-criticality.ts'
import { s17 } from './s17-expensive-queries.ts'
import { s18 } from './s18-synchronised-retries.ts'
import { s19 } from './s19-retry-storm.ts'
import { s20 } from './s20-cache-flush.ts'
import { s21 } from './s21-slow-clients.ts'
import { s22 } from './s22-pauses.ts'
import { s23 } from './s23-cold-start.ts'
import { s24 } from './s24-clock-jump.ts'
import { s25 } from './s25-batch-drain.ts'
import { s26 } from './s26-queue-collapse.ts'
import { s27 } from './s27-stale-queue.ts'
import { s28 } from './s28-sinkhole.ts'
import { s29 } from './s29-shutdown.ts'

export const scenarios: readonly Scenario[] = [
  s01,
  s02,
  s03,
  s04,
  s05,
  s06,
  s07,
  s08,
  s09,
  s10,
  s11,
  s12,
  s13,
  s14,
  s15,
  s16,
  s17,
  s18,
  s19,
  s20,
  s21,
  s22,
  s23,
  s24,
  s25,
  s26,
  s27,
  s28,
  s29,
]
