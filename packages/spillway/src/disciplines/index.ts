// The disciplines there are: one line each.

import type { Discipline } from '../core/discipline.ts'
import { FifoDiscipline } from './fifo.ts'

/** Name → how to make one that holds at most `depthMax`. The conformance suite runs over all of them. */
export const disciplines = {
  fifo: (depthMax: number): Discipline => new FifoDiscipline(depthMax),
} as const
