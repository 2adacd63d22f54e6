// What `spillway sim` needs of a set of scenarios: which there are, and one judged run of one of them. A set is made of
// scenarios and policies; workers make the same set from the same module, since code cannot be sent to them.

import { SpillwayError } from '../core/errors.ts'
import { type Thresholds, thresholdsOf } from '../verdict/thresholds.ts'
import { judge, type Verdict } from '../verdict/verdict.ts'
import { checkScenario } from './check.ts'
import { withCut } from './confirmation.ts'
import { policies as shipped } from './policies.ts'
import type { Policy } from './policy.ts'
import { runScenario } from './run.ts'
import type { Criterion, Scenario, SimulatedRun } from './scenario.ts'

const usualPolicies = ['default', 'unprotected']

export interface CatalogueEntry {
  /** Short and unique, such as S07. */
  readonly id: string
  /** The title with dashes, such as spike-with-retries. */
  readonly name: string
  readonly title: string
  /** What it asks for beyond the verdict, in words. */
  readonly asks: string | undefined
  /** Policies it runs unless others are named. */
  readonly policies: readonly string[]
  readonly thresholds: Thresholds
  /** Whether it has criteria for all runs together, which need their records. */
  readonly hasTogether: boolean
}

export interface JudgedRun {
  readonly record: SimulatedRun
  readonly verdict: Verdict
  /** What the run shows of the scenario's own criteria; undefined where it has none. */
  readonly criteria: readonly Criterion[] | undefined
}

export interface Catalogue {
  readonly entries: readonly CatalogueEntry[]
  /** Every policy that may be named. */
  readonly policies: readonly string[]
  /** Policies that are there to fail: they show what the others are worth and do not decide how a command ends. */
  readonly controls: readonly string[]
  /** `id` and `policy` are of this catalogue. The same three always give the same run. */
  run(id: string, policy: string, seed: number, options?: JudgeOptions): JudgedRun
  /** The criteria for all runs of one policy together. */
  together(id: string, runs: readonly SimulatedRun[]): readonly Criterion[]
}

export interface JudgeOptions {
  /** Makes a run that looks metastable once more with its load cut (rule V6). Default false. */
  readonly confirms?: boolean
  /** Keeps what only pictures need. Default false. */
  readonly forPictures?: boolean
}

/**
 * A catalogue of scenarios, with the simulator's policies or others. Throws SPILLWAY_OPTIONS_INVALID when a scenario is
 * impossible, or two have the same id.
 */
export function catalogueOf(
  scenarios: readonly Scenario[],
  policies: Readonly<Record<string, Policy>> = shipped,
): Catalogue {
  const byId = new Map<string, Scenario>()
  for (const scenario of scenarios) {
    checkScenario(scenario)
    if (byId.has(scenario.id)) {
      throw new SpillwayError(
        'SPILLWAY_OPTIONS_INVALID',
        `two scenarios have the id ${scenario.id}; ids must be unique`,
      )
    }
    byId.set(scenario.id, scenario)
  }
  const entries = scenarios.map(entryOf)
  return {
    entries,
    policies: Object.keys(policies),
    controls: ['unprotected'],
    run: (id, name, seed, { confirms = false, forPictures = false } = {}) => {
      const scenario = byId.get(id) as Scenario
      const policy = policies[name] as Policy
      const record = runScenario(scenario, policy, seed, { forPictures })
      const confirm = () => {
        const cut = withCut(scenario)
        return cut === undefined ? undefined : runScenario(cut, policy, seed)
      }
      const { thresholds } = entries.find((entry) => entry.id === id) as CatalogueEntry
      const verdict = judge(record, confirms ? { thresholds, confirm } : { thresholds })
      return { record, verdict, criteria: scenario.passes?.(record) }
    },
    together: (id, runs) => byId.get(id)?.passesTogether?.(runs) ?? [],
  }
}

function entryOf({ id, title, asks, policies, thresholds, passesTogether }: Scenario): CatalogueEntry {
  return {
    id,
    name: nameOf(title),
    title,
    asks,
    policies: policies ?? usualPolicies,
    thresholds: thresholdsOf(thresholds),
    hasTogether: passesTogether !== undefined,
  }
}

/** Words with dashes: `Spike with retries` is `spike-with-retries`. */
function nameOf(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
}
