// Loads the scenarios: those of the library, or those of a module of the user's own.

import { type Catalogue, catalogueOf, type Scenario } from 'spillway/sim'

/**
 * The catalogue of a module: of the scenario or scenarios that it exports as its default, or that export itself where it is a
 * catalogue already. Undefined when it is none of these. Throws when a scenario is impossible.
 */
export async function loadCatalogue(moduleUrl: string): Promise<Catalogue | undefined> {
  const { default: exported } = (await import(moduleUrl)) as { default?: unknown }
  if (isCatalogue(exported)) return exported
  const scenarios = Array.isArray(exported) ? (exported as unknown[]) : [exported]
  return scenarios.every(isScenario) ? catalogueOf(scenarios) : undefined
}

function isCatalogue(exported: unknown): exported is Catalogue {
  const { entries, run } = Object(exported) as Partial<Catalogue>
  return Array.isArray(entries) && typeof run === 'function'
}

/** Enough to tell what it is meant to be; what is wrong with it is said by the simulator. */
function isScenario(exported: unknown): exported is Scenario {
  const { id, services } = Object(exported) as Partial<Scenario>
  return typeof id === 'string' && typeof services === 'object'
}
