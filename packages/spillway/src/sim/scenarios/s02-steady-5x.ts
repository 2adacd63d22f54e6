// Five times the load for half a minute.

import { steady } from './steady.ts'

export const s02 = steady('S02', 'Steady 5x', 5, 0.9)
