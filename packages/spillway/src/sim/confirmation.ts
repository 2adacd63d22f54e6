// Rule V6: whether a service that stayed down is kept there by the load or by itself. The same run goes on, with the load cut
// to a tenth of the capacity for five seconds and then as before. The arrivals up to the cut are the same to the last one,
// because a rate profile that is changed at its end is unchanged before.

import { type RateProfile, steadily } from '../workload/rate-profile.ts'
import type { Scenario, Traffic } from './scenario.ts'

const cutMultiple = 0.1
const cutMs = 5000
// Long enough for a service that comes back slowly to stay back for the time that rule V4 asks for.
const afterMs = 30_000

/** The scenario with the cut; undefined where the load is recorded or made by workers, which nobody can cut. */
export function withCut(scenario: Scenario): Scenario | undefined {
  const endMs = scenario.phases.reduce((sum, { lengthMs }) => sum + lengthMs, 0)
  const profiles = scenario.traffic.map(profileOf)
  if (endMs === 0 || profiles.some((profile) => profile === undefined)) return undefined
  const lastPerS = profiles.reduce((sum, profile) => sum + rateBefore(profile as RateProfile, endMs), 0)
  if (lastPerS === 0) return undefined
  const share = Math.min(1, (cutMultiple * scenario.capacityPerS) / lastPerS)
  const multiple = scenario.phases.at(-1)?.multiple
  const traffic = scenario.traffic.map((each, i): Traffic => {
    const perS = extended(profiles[i] as RateProfile, endMs, share)
    return { ...each, arrivals: { ...each.arrivals, perS } }
  })
  const { horizonMs, ...rest } = scenario
  return {
    ...rest,
    ...(horizonMs === undefined ? {} : { horizonMs: horizonMs + cutMs + afterMs }),
    traffic,
    phases: [
      ...scenario.phases,
      { name: 'cut', lengthMs: cutMs, multiple: cutMultiple },
      { name: 'recovery after the cut', lengthMs: afterMs, ...(multiple === undefined ? {} : { multiple }) },
    ],
  }
}

function profileOf({ arrivals }: Traffic): RateProfile | undefined {
  if (arrivals === undefined || 'atMs' in arrivals) return undefined
  return typeof arrivals.perS === 'number' ? steadily(arrivals.perS) : arrivals.perS
}

function extended(profile: RateProfile, endMs: number, share: number): RateProfile {
  const lastPerS = rateBefore(profile, endMs)
  const resumesMs = endMs + cutMs
  return [
    ...profile.filter(({ atMs }) => atMs < endMs),
    { atMs: endMs, perS: lastPerS },
    { atMs: endMs, perS: share * lastPerS },
    { atMs: resumesMs, perS: share * lastPerS },
    { atMs: resumesMs, perS: lastPerS },
    { atMs: resumesMs + afterMs, perS: lastPerS },
    { atMs: resumesMs + afterMs, perS: 0 },
  ]
}

/** The rate just before an instant. */
function rateBefore(profile: RateProfile, atMs: number): number {
  const next = profile.findIndex((point) => point.atMs >= atMs)
  const from = next === -1 ? profile.at(-1) : profile[next - 1]
  const to = next === -1 ? undefined : profile[next]
  if (from === undefined) return 0
  if (to === undefined) return from.perS
  return from.perS + ((to.perS - from.perS) * (atMs - from.atMs)) / (to.atMs - from.atMs)
}
