// Whether the run measured the services or the generator. A generator that was late, or that could not send what was
// planned, says nothing about anyone else, however good the numbers look.

import { percentile } from './ledger.ts'
import { serviceNames } from './messages.ts'
import type { RunRecord } from './record.ts'

// Half of what a refusal may take: past it the generator's lateness would decide the verdict.
const latenessP99MaxMs = 5
const unsentShareMax = 0.001

export type Validity = {
  readonly valid: boolean
  readonly latenessP50Ms: number
  readonly latenessP99Ms: number
  readonly latenessMaxMs: number
  readonly unsent: number
  readonly planned: number
  /** Why the run is invalid, in sentences. */
  readonly problems: readonly string[]
}

export function judgeGenerator(record: RunRecord): Validity {
  const lateness = Float64Array.from(record.generators.flatMap((report) => [...report.latenessMs])).sort()
  const latenessP99Ms = percentile(lateness, 99) ?? 0
  let unsent = 0
  let planned = 0
  for (const service of serviceNames) {
    unsent += record.twins[service].ledger.tally().unsent
    planned += record.twins[service].ledger.length
  }
  const problems: string[] = []
  if (latenessP99Ms > latenessP99MaxMs) {
    problems.push(
      `The generator sent 1 request in 100 more than ${latenessP99Ms.toFixed(1)} ms late; up to ${latenessP99MaxMs} ms ` +
        'is acceptable. Something else kept this machine busy.',
    )
  }
  if (unsent > planned * unsentShareMax) {
    problems.push(`The generator could not send ${unsent} of ${planned} planned requests; up to 0.1 % is acceptable.`)
  }
  return {
    valid: problems.length === 0,
    latenessP50Ms: percentile(lateness, 50) ?? 0,
    latenessP99Ms,
    latenessMaxMs: lateness.at(-1) ?? 0,
    unsent,
    planned,
    problems,
  }
}
