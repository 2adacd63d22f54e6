// The closed list of verdicts. A run gets one name and a team can search for it; a number alone leaves the judgement to
// the reader's eye, which is how most load tests end.

/** Name → what it means, worst first. The order is the precedence: a run is called by the worst that is true of it. */
export const verdictTable = {
  INVALID: 'The run measured its generator or lost count; it says nothing about the service.',
  METASTABLE: 'It stays down after the trigger is gone, kept there by retries or by work nobody waits for.',
  COLLAPSE: 'Under load it finishes less than half of what it could.',
  'COLLAPSE-WITH-LOAD': 'It finishes less the more is offered.',
  UNBOUNDED: 'Waits grow past the deadline.',
  'MEMORY-GROWTH': 'Memory grows with the load.',
  'HEALTH-SHED': 'Health checks fail under load, so that an orchestrator would take capacity away.',
  DRAINING: 'The run ended while it was still working off its backlog, within the time that takes.',
  HYSTERESIS: 'At the same load it does worse on the way down than on the way up.',
  SLOW: 'It takes longer to come back than the plan allows.',
  DEGRADED: 'Under load it finishes less than nine tenths of what it could.',
  UNFAIR: 'Some callers pay for others.',
  'EXPENSIVE-REFUSAL': 'Refusals take too long or cost too much.',
  HOLDS: 'It keeps what the plan asks for.',
} as const

export type VerdictName = keyof typeof verdictTable

/** Warnings do not change the verdict. */
export const warningTable = {
  'MODEL-DRIFT': 'The live run and the simulated one disagree: one of the two is wrong about the service.',
} as const

export type WarningName = keyof typeof warningTable

/** All verdicts, worst first. */
export const verdictNames = Object.keys(verdictTable) as readonly VerdictName[]

/** How bad: 0 is the worst. */
export function rankOf(name: VerdictName): number {
  return verdictNames.indexOf(name)
}

/** The worst of several, HOLDS of none. */
export function worstOf(names: Iterable<VerdictName>): VerdictName {
  let worst: VerdictName = 'HOLDS'
  for (const name of names) if (rankOf(name) < rankOf(worst)) worst = name
  return worst
}
