// Every run that a command asks for, spread over the cores, and what they add up to. Pictures and the confirmation of a
// metastable verdict need one run per policy, and which one is known only when all have been judged: that run is made again.
// The same seed gives the same run, and making it again is cheaper than keeping thirty records.

import {
  type Catalogue,
  type CatalogueEntry,
  exampleSeed,
  type PolicySummary,
  type RunSummary,
  type ScenarioSummary,
  type SimulatedRun,
  summarisePolicy,
} from 'spillway/sim'
import type { Io } from '../io.ts'
import { besideModule, runOnWorkers } from './pool.ts'
import { Progress } from './progress.ts'

export interface RunTask {
  readonly scenario: string
  readonly policy: string
  readonly seed: number
  readonly withRecord: boolean
  readonly forPictures: boolean
  /** Whether a run that looks metastable is made once more with its load cut. */
  readonly confirms: boolean
}

export interface RunResult {
  readonly summary: RunSummary
  readonly record: SimulatedRun | undefined
}

export interface RunWorkerSettings {
  /** The module of the catalogue. */
  readonly catalogue: string
}

/** A scenario and the policies to run it with. */
export interface PlannedScenario {
  readonly entry: CatalogueEntry
  readonly policies: readonly string[]
}

export interface RunPlan {
  readonly catalogue: Catalogue
  readonly moduleUrl: string
  readonly scenarios: readonly PlannedScenario[]
  readonly seeds: readonly number[]
  /** Whether a record of each policy is wanted for pictures. */
  readonly withExamples: boolean
}

export async function runPlan(plan: RunPlan, io: Io): Promise<readonly ScenarioSummary[]> {
  const cases = plan.scenarios.flatMap(({ entry, policies }) => policies.map((policy) => ({ entry, policy })))
  const tasks = cases.flatMap(({ entry, policy }) =>
    plan.seeds.map((seed) => ({
      scenario: entry.id,
      policy,
      seed,
      withRecord: entry.hasTogether,
      forPictures: false,
      confirms: false,
    })),
  )
  const results = await runTasks(plan, tasks, io)
  const perCase = plan.seeds.length
  const judged = cases.map(({ entry, policy }, i) => {
    const own = results.slice(i * perCase, (i + 1) * perCase)
    const records = own.flatMap(({ record }) => record ?? [])
    const together = entry.hasTogether ? plan.catalogue.together(entry.id, records) : []
    const runs = own.map(({ summary }) => summary)
    return { entry, summary: summarisePolicy(policy, runs, entry.thresholds, { together }) }
  })
  const policies = await lookAgain(plan, judged, io)
  let next = 0
  return plan.scenarios.map(({ entry, policies: own }) => ({
    scenario: entry.id,
    title: entry.title,
    asks: entry.asks,
    seeds: plan.seeds,
    policies: own.map(() => policies[next++] as PolicySummary),
  }))
}

interface JudgedCase {
  readonly entry: CatalogueEntry
  readonly summary: PolicySummary
}

/** Makes one run of each policy once more where there is more to be had of it: its record, or a confirmation. */
async function lookAgain(plan: RunPlan, cases: readonly JudgedCase[], io: Io): Promise<readonly PolicySummary[]> {
  const taskOf = ({ entry, summary }: JudgedCase): RunTask | undefined => {
    const seed = exampleSeed(summary)
    const confirms = summary.verdict.name === 'METASTABLE'
    if (seed === undefined || !(confirms || plan.withExamples)) return undefined
    return {
      scenario: entry.id,
      policy: summary.policy,
      seed,
      withRecord: plan.withExamples,
      forPictures: plan.withExamples,
      confirms,
    }
  }
  const tasks = cases.map(taskOf)
  const results = await runTasks(
    plan,
    tasks.filter((task) => task !== undefined),
    io,
  )
  let next = 0
  return cases.map(({ entry, summary }, i) => {
    if (tasks[i] === undefined) return summary
    const { summary: again, record } = results[next++] as RunResult
    const runs = summary.runs.map((run) => (run.seed === again.seed ? again : run))
    const { together } = summary
    return summarisePolicy(
      summary.policy,
      runs,
      entry.thresholds,
      record === undefined ? { together } : { together, example: record },
    )
  })
}

async function runTasks(plan: RunPlan, tasks: readonly RunTask[], io: Io): Promise<readonly RunResult[]> {
  const names = plan.scenarios.map(({ entry }) => entry.id)
  const label = names.length > 3 ? `${names.length} scenarios` : names.join(', ')
  const progress = new Progress(io, label, tasks.length)
  const workerData: RunWorkerSettings = { catalogue: plan.moduleUrl }
  try {
    return await runOnWorkers<RunTask, RunResult>(tasks, {
      file: besideModule(import.meta.url, 'worker'),
      workerData,
      signal: io.signal,
      onResult: () => progress.step(),
    })
  } finally {
    progress.end()
  }
}
