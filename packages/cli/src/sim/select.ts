// Finds what the user named. Whatever cannot be found is said with what was probably meant, all of it at once.

import type { Catalogue, CatalogueEntry } from 'spillway/sim'
import type { Flags } from '../flags.ts'
import { closest, quote } from '../problems.ts'
import type { PlannedScenario } from './run.ts'

/** Scenarios by id or name, whatever the case, each once and in the order of the catalogue. */
export function selectScenarios(catalogue: Catalogue, words: readonly string[], flags: Flags): CatalogueEntry[] {
  const chosen = new Set<CatalogueEntry>()
  for (const word of words) {
    const entry = findScenario(catalogue, word)
    if (entry !== undefined) chosen.add(entry)
    else flags.say(noScenario(catalogue, word))
  }
  return catalogue.entries.filter((entry) => chosen.has(entry))
}

export function findScenario(catalogue: Catalogue, word: string): CatalogueEntry | undefined {
  const wanted = word.toLowerCase()
  return catalogue.entries.find(({ id, name }) => id.toLowerCase() === wanted || name.toLowerCase() === wanted)
}

function noScenario(catalogue: Catalogue, word: string): string {
  const known = catalogue.entries.flatMap(({ id, name }) => [id, name])
  const near = closest(word, known)
  return `there is no scenario ${quote(word)}; ${near === undefined ? 'spillway sim lists them' : `did you mean ${near}?`}`
}

/** The policies that were named, or those of each scenario. */
export function planScenarios(
  catalogue: Catalogue,
  entries: readonly CatalogueEntry[],
  named: readonly string[],
  flags: Flags,
): PlannedScenario[] {
  for (const name of named) checkPolicy(catalogue, name, flags)
  return entries.map((entry) => ({ entry, policies: named.length > 0 ? named : entry.policies }))
}

function checkPolicy(catalogue: Catalogue, name: string, flags: Flags): void {
  if (catalogue.policies.includes(name)) return
  const scenario = findScenario(catalogue, name)
  if (scenario !== undefined) {
    flags.say(`--policy takes every name after it, and ${quote(name)} is a scenario: put scenarios first`)
    return
  }
  const near = closest(name, catalogue.policies)
  const known = `policies are ${catalogue.policies.join(', ')}`
  flags.say(`there is no policy ${quote(name)}; ${near === undefined ? known : `did you mean ${near}?`}`)
}
