// What one rule says of one run: always the same four things, so that a report, a test and a shell script read them alike.

import type { VerdictName, WarningName } from './name.ts'

/** V1 to V12 of the rules; `memory` and `health` have no number there. */
export const ruleTable = {
  V1: 'plateau',
  V2: 'no slope',
  hysteresis: 'same way down as up',
  V3: 'bounded waits',
  V4: 'recovers',
  V5: 'not metastable',
  V6: 'confirmed by a cut of load',
  V7: 'generator',
  V8: 'conservation',
  V9: 'cheap refusals',
  V10: 'fair',
  memory: 'bounded memory',
  health: 'health checks',
  V11: 'repeats',
  V12: 'model and life agree',
} as const

export type RuleName = keyof typeof ruleTable

export interface Judgement {
  readonly rule: RuleName
  /** `not judged`: the run has nothing this rule could look at. It is neither good nor bad. */
  readonly verdict: Exclude<VerdictName, 'HOLDS'> | WarningName | 'pass' | 'not judged'
  /** What the rule compared, with units in the names; what could not be known is left out. */
  readonly numbers: Readonly<Record<string, number>>
  /** One sentence in plain words. */
  readonly sentence: string
}

type Measured = Readonly<Record<string, number | undefined>>

export function pass(rule: RuleName, sentence: string, numbers: Measured = {}): Judgement {
  return { rule, verdict: 'pass', numbers: known(numbers), sentence }
}

export function notJudged(rule: RuleName, sentence: string, numbers: Measured = {}): Judgement {
  return { rule, verdict: 'not judged', numbers: known(numbers), sentence }
}

export function fail(
  rule: RuleName,
  verdict: Exclude<VerdictName, 'HOLDS'> | WarningName,
  sentence: string,
  numbers: Measured = {},
): Judgement {
  return { rule, verdict, numbers: known(numbers), sentence }
}

function known(numbers: Measured): Record<string, number> {
  return Object.fromEntries(
    Object.entries(numbers).filter((entry): entry is [string, number] => entry[1] !== undefined),
  )
}
