// S01 to S03 are one plan at three loads.

import type { ThresholdOptions } from '../../verdict/thresholds.ts'
import type { Scenario } from '../scenario.ts'
import { atLeast, goodput, holds, stressTotals } from './criteria.ts'
import { deadlineMs, referenceScenario } from './reference-service.ts'

const thresholds: ThresholdOptions = { p99MaxMs: 200, recoveryMaxMs: 2000 }

/** Thirty seconds at a multiple of the capacity. `goodputMin` is the share of it that must be served. */
export function steady(id: string, title: string, multiple: number, goodputMin: number): Scenario {
  const stress = [{ name: `stress ${multiple}x`, lengthMs: 30_000, multiple }]
  return referenceScenario(
    stress,
    { timeoutMs: deadlineMs },
    {
      id,
      title,
      thresholds,
      asks: `goodput at least ${goodputMin} of the capacity, p99 of successes at most 200 ms, back within 2 s`,
      passes: (run) => [holds(run, thresholds), goodput(run, goodputMin), offeredAsPlanned(run, multiple)],
    },
  )
}

// A run in which less came than was meant would pass too easily.
function offeredAsPlanned(run: Parameters<typeof stressTotals>[0], multiple: number) {
  const { offered, capacity } = stressTotals(run)
  return atLeast('offered ÷ capacity', multiple * 0.95, capacity === 0 ? undefined : offered / capacity)
}
