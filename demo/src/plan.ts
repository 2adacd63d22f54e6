// The load the demo offers: an incident in five phases. Load a little under capacity, twice the capacity, back under it,
// ten times the capacity, and back again. Coming back twice matters as much as going up: a service that does not come
// back when the load has gone has not survived it.

export type Phase = {
  readonly ratePerS: number
  readonly fromMs: number
  readonly toMs: number
}

export type Plan = {
  readonly phases: readonly Phase[]
  readonly durationMs: number
}

/** A caller gives up this long after it meant to start. It is sent along as `x-request-timeout-ms`. */
export const clientTimeoutMs = 1000

/** Phases are reported in windows no longer than this, so that a collapse cannot hide in a long average. */
export const windowMaxMs = 5000

export const fullPlan = planOf([
  [80, 5],
  [200, 10],
  [80, 10],
  [1000, 5],
  [80, 5],
])

// Long enough to show what the full plan shows: after 3 s at 200/s the unprotected queue holds about three seconds of
// work, which is more than any caller waits for.
export const quickPlan = planOf([
  [80, 1],
  [200, 3],
  [80, 2],
  [1000, 2],
  [80, 2],
])

export function planOf(phases: readonly (readonly [ratePerS: number, seconds: number])[]): Plan {
  let fromMs = 0
  const placed = phases.map(([ratePerS, seconds]) => {
    const phase = { ratePerS, fromMs, toMs: fromMs + seconds * 1000 }
    fromMs = phase.toMs
    return phase
  })
  return { phases: placed, durationMs: fromMs }
}

/** The phases, cut so that no window is longer than five seconds and none spans two phases. */
export function windowsOf(plan: Plan): Phase[] {
  return plan.phases.flatMap((phase) => {
    const windows: Phase[] = []
    for (let fromMs = phase.fromMs; fromMs < phase.toMs; fromMs += windowMaxMs) {
      windows.push({ ratePerS: phase.ratePerS, fromMs, toMs: Math.min(fromMs + windowMaxMs, phase.toMs) })
    }
    return windows
  })
}

/** The phases that begin with less load than the one before offered. */
export function dropsOf(plan: Plan): Phase[] {
  return plan.phases.filter((phase, i) => i > 0 && phase.ratePerS < plan.phases[i - 1]!.ratePerS)
}
