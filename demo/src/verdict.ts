// Whether the protected service held, by rules that are stated before the run.

import { windowsOf } from './plan.ts'
import type { RunRecord } from './record.ts'
import { resourceKinds } from './resources/resource.ts'
import type { Summary, WindowSummary } from './summary.ts'
import { judgeGenerator } from './validity.ts'

/** What the protected service must keep in every window that offers at least `overloadFrom` times the capacity. */
export const bars = {
  overloadFrom: 1.5,
  goodputShareMin: 0.97,
  p99MaxMs: 300,
  rejectP99MaxMs: 10,
  recoveryMaxS: 1,
}

export type Verdict = {
  readonly status: 'HOLDS' | 'DOES NOT HOLD' | 'INVALID' | 'REPORTED'
  /** What is wrong, or nothing. */
  readonly problems: readonly string[]
}

/** Exit status of the command: 0 holds, 1 does not hold, 3 the run is invalid. Bad input, 2, never gets as far as a run. */
export function exitStatus(verdict: Verdict): number {
  if (verdict.status === 'INVALID') return 3
  return verdict.status === 'DOES NOT HOLD' ? 1 : 0
}

export function judge(record: RunRecord, summary: Summary): Verdict {
  const validity = judgeGenerator(record)
  if (!validity.valid) return { status: 'INVALID', problems: validity.problems }
  // The bar of the processor is not set yet; its numbers are shown and judged by the reader.
  if (!resourceKinds[record.resource].judged) return { status: 'REPORTED', problems: [] }
  const { windows, wasted, recoveryS } = summary.services.protected
  const planned = windowsOf(record.plan)
  const overloaded = windows.filter((_, i) => planned[i]!.ratePerS >= bars.overloadFrom * summary.capacity)
  const problems = overloaded.flatMap((window) => judgeWindow(window, summary.capacity))
  const timeouts = windows.reduce((sum, window) => sum + window.timeouts, 0)
  if (timeouts > 0) problems.push(`${timeouts} callers got no answer within their timeout`)
  if (wasted > 0) problems.push(`${wasted} jobs were finished for callers who had gone`)
  if (recoveryS === null) problems.push('full service did not come back after the load fell')
  else if (recoveryS > bars.recoveryMaxS) {
    problems.push(`full service took ${recoveryS} s to come back after the load fell, more than ${bars.recoveryMaxS} s`)
  }
  return { status: problems.length === 0 ? 'HOLDS' : 'DOES NOT HOLD', problems }
}

function judgeWindow(window: WindowSummary, capacityPerS: number): string[] {
  const when = `from ${window.fromS} to ${window.toS} s`
  const problems: string[] = []
  const goodputMin = bars.goodputShareMin * capacityPerS
  if (window.goodputPerS < goodputMin) {
    problems.push(
      `goodput ${when} was ${window.goodputPerS}/s, less than ${goodputMin.toFixed(1)}/s (97 % of capacity)`,
    )
  }
  if ((window.p99Ms ?? 0) > bars.p99MaxMs) {
    problems.push(`p99 of successes ${when} was ${window.p99Ms} ms, more than ${bars.p99MaxMs} ms`)
  }
  if ((window.rejectP99Ms ?? 0) > bars.rejectP99MaxMs) {
    problems.push(`p99 of refusals ${when} was ${window.rejectP99Ms} ms, more than ${bars.rejectP99MaxMs} ms`)
  }
  return problems
}
