// Ten times the load for half a minute. It must be served as well as twice the load, to 0.95; no service does more than its
// capacity and chance, so that 0.96 of the capacity is the harder bar.

import { steady } from './steady.ts'

export const s03 = steady('S03', 'Steady 10x', 10, 0.96)
