// Rates and phases from one list of multiples of the capacity, so that a plan fits any service.

import { inSteps, type RateProfile } from '../workload/rate-profile.ts'
import type { PhasePlan } from './scenario.ts'

/** A phase whose load is a multiple of the capacity, or goes from one multiple to another. */
export interface LoadPhase extends PhasePlan {
  readonly multiple: number
  readonly toMultiple?: number
}

export interface Plan {
  readonly rate: RateProfile
  readonly phases: readonly PhasePlan[]
  /** When the last phase ends, ms. */
  readonly lengthMs: number
}

export function planOf(capacityPerS: number, phases: readonly LoadPhase[]): Plan {
  const steps = phases.map(({ lengthMs, multiple, toMultiple }) => ({
    lengthMs,
    perS: multiple * capacityPerS,
    toPerS: (toMultiple ?? multiple) * capacityPerS,
  }))
  return {
    rate: inSteps(steps),
    // A ramp has no load of its own that would stand for it.
    phases: phases.map(({ toMultiple, multiple, ...phase }) =>
      toMultiple === undefined ? { ...phase, multiple } : phase,
    ),
    lengthMs: phases.reduce((sum, { lengthMs }) => sum + lengthMs, 0),
  }
}

/** The usual course: warm-up at half the capacity, baseline at 0.7, the stress, and a recovery at 0.7. */
export function usualPlan(
  capacityPerS: number,
  stress: readonly LoadPhase[],
  lengths: { readonly warmUpMs?: number; readonly baselineMs?: number; readonly recoveryMs?: number } = {},
): Plan {
  return planOf(capacityPerS, [
    { name: 'warm-up', lengthMs: lengths.warmUpMs ?? 5000, multiple: 0.5 },
    { name: 'baseline', lengthMs: lengths.baselineMs ?? 15_000, multiple: 0.7 },
    ...stress,
    { name: 'recovery', lengthMs: lengths.recoveryMs ?? 60_000, multiple: 0.7 },
  ])
}
