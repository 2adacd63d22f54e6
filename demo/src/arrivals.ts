// The schedule of arrivals, drawn before anything is sent. Real arrivals do not queue up politely at even spacing: they
// are Poisson, and at the same rate Poisson arrivals queue far more than even ones. Each phase is drawn afresh, which is
// exact, because an exponential gap has no memory of where it began.

import type { Plan } from './plan.ts'

export type Arrivals = {
  /** When each caller means to start, in ms from the start of the load, ascending. */
  readonly intendedMs: Float64Array
  /** 1 where the caller is labelled critical. */
  readonly critical: Uint8Array
}

/** A quarter of the callers is critical, as in the experiment that the demo stages again. */
export const criticalShare = 0.25

export function drawArrivals(plan: Plan, seed: number): Arrivals {
  // Two streams, so that a change to how labels are drawn cannot move an arrival.
  const gaps = randomStream(seed, 1)
  const labels = randomStream(seed, 2)
  const intendedMs: number[] = []
  for (const phase of plan.phases) {
    const meanGapMs = 1000 / phase.ratePerS
    let atMs = phase.fromMs
    for (;;) {
      atMs += -Math.log(1 - gaps()) * meanGapMs
      if (atMs >= phase.toMs) break
      intendedMs.push(atMs)
    }
  }
  return {
    intendedMs: Float64Array.from(intendedMs),
    critical: Uint8Array.from(intendedMs, () => (labels() < criticalShare ? 1 : 0)),
  }
}

/** Uniform in [0, 1), the same numbers for the same seed and stream on every machine (SplitMix32). */
export function randomStream(seed: number, stream: number): () => number {
  let state = (Math.imul(seed, 0x9e3779b1) ^ Math.imul(stream, 0x85ebca6b)) >>> 0
  return () => {
    state = (state + 0x9e3779b9) >>> 0
    let mixed = state ^ (state >>> 16)
    mixed = Math.imul(mixed, 0x21f0aaad)
    mixed ^= mixed >>> 15
    mixed = Math.imul(mixed, 0x735a2d97)
    mixed ^= mixed >>> 15
    return (mixed >>> 0) / 4294967296
  }
}
