// What a finished plan prints, and how it ends: the exit code is that of the worst policy that is meant to hold.

import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import {
  type Catalogue,
  cataloguePage,
  type PolicySummary,
  type ScenarioSummary,
  scenarioJson,
  scenarioPage,
  scenarioTable,
} from 'spillway/sim'
import { exitCodes } from '../exit-codes.ts'
import type { Io } from '../io.ts'

export function printScenarios(summaries: readonly ScenarioSummary[], json: boolean, io: Io): void {
  const [first] = summaries
  if (!json) io.out(`${summaries.map(scenarioTable).join('\n\n')}\n`)
  else if (first !== undefined && summaries.length === 1) io.out(`${JSON.stringify(scenarioJson(first), null, 2)}\n`)
  else io.out(`${JSON.stringify({ scenarios: summaries.map(scenarioJson) }, null, 2)}\n`)
}

/** Writes the page and says where it is. */
export function writeReport(file: string, summaries: readonly ScenarioSummary[], io: Io): void {
  const path = resolve(file)
  const [first] = summaries
  const page =
    first !== undefined && summaries.length === 1
      ? scenarioPage(first)
      : cataloguePage(`${summaries.length} scenarios`, summaries)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, page)
  io.err(`The report is in ${path}\n`)
}

/** Controls are there to fail and do not count, unless nothing else was asked for. */
export function exitCodeOf(catalogue: Catalogue, summaries: readonly ScenarioSummary[]): number {
  const all = summaries.flatMap(({ policies }) => policies)
  if (all.some(({ verdict }) => verdict.name === 'INVALID')) return exitCodes.invalid
  const judged = summaries.flatMap(({ policies }) => {
    const meant = policies.filter(({ policy }) => !catalogue.controls.includes(policy))
    return meant.length > 0 ? meant : policies
  })
  return judged.every(holds) ? exitCodes.holds : exitCodes.doesNotHold
}

/**
 * What passes is for the scenario to say: its criteria where it has some, else the verdict. Of many runs as many may miss it
 * as chance explains (rule V11); of few, none.
 */
function holds({ verdict, passRatio, passBounds, together }: PolicySummary): boolean {
  if (together.some((criterion) => !criterion.holds)) return false
  const enough = verdict.judgement.verdict !== 'not judged'
  return enough ? passBounds.high >= 0.95 : passRatio === 1
}
