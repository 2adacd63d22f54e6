// `spillway sim compare a b`: two policies over scenarios, or two scenarios over policies. It reports differences and does
// not judge: it ends with 0 unless a run is INVALID.

import { type Catalogue, type ComparedPair, comparisonJson, comparisonTable, type ScenarioSummary } from 'spillway/sim'
import { exitCodes } from '../exit-codes.ts'
import type { Flags } from '../flags.ts'
import type { Io } from '../io.ts'
import { closest, quote } from '../problems.ts'
import type { PlannedScenario } from './run.ts'
import { findScenario, planScenarios, selectScenarios } from './select.ts'

export interface Comparison {
  readonly names: readonly [a: string, b: string]
  readonly scenarios: readonly PlannedScenario[]
  readonly pairsOf: (summaries: readonly ScenarioSummary[]) => readonly ComparedPair[]
}

/** What is compared; says what is wrong with it to `flags`, and is undefined then. */
export function planComparison(catalogue: Catalogue, words: readonly string[], flags: Flags): Comparison | undefined {
  const [a, b, ...others] = words
  if (a === undefined || b === undefined) {
    flags.say('compare takes two policies, or two scenarios: spillway sim compare a b')
    return undefined
  }
  const [first, second] = [findScenario(catalogue, a), findScenario(catalogue, b)]
  if (first !== undefined && second !== undefined) {
    if (first === second) flags.say(`compare takes two different scenarios, got ${quote(a)} and ${quote(b)}`)
    if (others.length > 0)
      flags.say(`compare takes two scenarios and no more, got ${others.map(quote).join(', ')} as well`)
    return ofScenarios(planScenarios(catalogue, [first, second], flags.names('policy'), flags))
  }
  const unknown = [a, b].filter((name) => !catalogue.policies.includes(name))
  for (const name of unknown) flags.say(neither(catalogue, name))
  if (a === b) flags.say(`compare takes two different policies, got ${quote(a)} twice`)
  if (flags.given('policy')) flags.say('--policy does not go with compare and two policies')
  const entries = others.length > 0 ? selectScenarios(catalogue, others, flags) : [...catalogue.entries]
  return ofPolicies(
    [a, b],
    entries.map((entry) => ({ entry, policies: [a, b] })),
  )
}

export function printComparison(
  { names, pairsOf }: Comparison,
  summaries: readonly ScenarioSummary[],
  json: boolean,
  io: Io,
): number {
  const pairs = pairsOf(summaries)
  io.out(`${json ? JSON.stringify(comparisonJson(names, pairs), null, 2) : comparisonTable(names, pairs)}\n`)
  const invalid = pairs.some(({ a, b }) => a.verdict.name === 'INVALID' || b.verdict.name === 'INVALID')
  return invalid ? exitCodes.invalid : exitCodes.holds
}

function ofPolicies(names: readonly [string, string], scenarios: readonly PlannedScenario[]): Comparison {
  return {
    names,
    scenarios,
    pairsOf: (summaries) =>
      summaries.flatMap(({ scenario, policies }) => {
        const [a, b] = names.map((name) => policies.find(({ policy }) => policy === name))
        return a === undefined || b === undefined ? [] : [{ of: scenario, a, b }]
      }),
  }
}

function ofScenarios(scenarios: readonly PlannedScenario[]): Comparison {
  const [first, second] = scenarios as readonly [PlannedScenario, PlannedScenario]
  return {
    names: [first.entry.id, second.entry.id],
    scenarios,
    pairsOf: (summaries) => {
      const [before, after] = summaries
      return (before?.policies ?? []).flatMap((a) => {
        const b = after?.policies.find(({ policy }) => policy === a.policy)
        return b === undefined ? [] : [{ of: a.policy, a, b }]
      })
    },
  }
}

function neither(catalogue: Catalogue, name: string): string {
  const near = closest(name, [...catalogue.policies, ...catalogue.entries.flatMap((entry) => [entry.id, entry.name])])
  return `${quote(name)} is neither a policy nor a scenario${near === undefined ? '' : `; did you mean ${near}?`}`
}
