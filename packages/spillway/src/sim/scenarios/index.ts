// The scenarios that come with the simulator: a file each, and a line here.

import type { Scenario } from '../scenario.ts'
import { s07 } from './s07-spike-with-retries.ts'

export const scenarios: readonly Scenario[] = [s07]
