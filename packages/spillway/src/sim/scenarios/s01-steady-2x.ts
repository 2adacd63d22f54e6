// Twice the load for half a minute: an unprotected service answers everyone too late, and has 100 s of work for nobody left
// when the load has gone.

import { steady } from './steady.ts'

export const s01 = steady('S01', 'Steady 2x', 2, 0.9)
