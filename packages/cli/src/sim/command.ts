// `spillway sim`: which of its forms is meant, and whether what it was given makes sense for that form.

import { pathToFileURL } from 'node:url'
import { Command } from 'commander'
import type { Catalogue } from 'spillway/sim'
import type { CommandMaker } from '../command-line.ts'
import { exitCodeHelp, exitCodes } from '../exit-codes.ts'
import { Flags, namesFlag, switchFlag, valueFlag } from '../flags.ts'
import type { Io } from '../io.ts'
import { quote } from '../problems.ts'
import { loadCatalogue } from './catalogue.ts'
import { planComparison, printComparison } from './compare.ts'
import { exitCodeOf, printScenarios, writeReport } from './output.ts'
import { besideModule } from './pool.ts'
import { type PlannedScenario, runPlan } from './run.ts'
import { planScenarios, selectScenarios } from './select.ts'
import { printTick } from './tick.ts'

const label = 'spillway sim'
// Enough for a proportion to be believed (rule V11).
const seedsUsual = 30
const seedsMax = 10_000
const seedMax = 4_294_967_295

const examples = `
Examples:
  spillway sim                            lists the scenarios
  spillway sim S07                        runs one, by id or by name
  spillway sim S01 S02 --report sim.html  runs two and draws them
  spillway sim S07 --seed 4               one run, to look at closely
  spillway sim all --json                 runs every scenario
  spillway sim compare default unprotected S07
                                          the same arrivals for two policies
  spillway sim tick                       the tick model, its exercises and the checklist of queues`

export const simCommand: CommandMaker = (io, end) =>
  new Command('sim')
    .description('Simulate a service under overload: the shipped admission code under a virtual clock.')
    .argument('[words...]', 'scenarios by id or name; or all; or compare a b; or tick')
    .addOption(namesFlag('policy', 'name', 'policies to run; those of the scenario unless given'))
    .addOption(valueFlag('seeds', 'n', `runs per policy; ${seedsUsual} unless given, 1 with --seed`))
    .addOption(valueFlag('seed', 'n', 'the first seed; 1 unless given'))
    .addOption(switchFlag('json', 'prints JSON on stdout and nothing else there'))
    .addOption(valueFlag('report', 'file.html', 'writes a page with pictures that stands alone'))
    .addOption(
      valueFlag('from', 'module', 'scenarios of your own: a module whose default export is one, or a list of them'),
    )
    .addHelpText('after', `${examples}\n${exitCodeHelp}`)
    .allowUnknownOption()
    .allowExcessArguments()
    .action(async (_words: string[], _options: unknown, command: Command) => {
      end(await dispatch(new Flags(command, label), io))
    })

async function dispatch(flags: Flags, io: Io): Promise<number> {
  const [first, ...others] = flags.words
  if (first === 'tick') return tick(flags, others, io)
  const { moduleUrl, catalogue } = await catalogueOf(flags)
  if (first === undefined) return list(catalogue, flags, io)
  const seeds = seedsOf(flags)
  const report = flags.file('report')
  const comparison = first === 'compare' ? planComparison(catalogue, others, flags) : undefined
  const scenarios = first === 'compare' ? (comparison?.scenarios ?? []) : named(catalogue, flags)
  flags.check()
  const plan = { catalogue, moduleUrl, scenarios, seeds, withExamples: report !== undefined }
  const summaries = await runPlan(plan, io)
  if (report !== undefined) writeReport(report, summaries, io)
  if (comparison !== undefined) return printComparison(comparison, summaries, flags.switch('json'), io)
  printScenarios(summaries, flags.switch('json'), io)
  return exitCodeOf(catalogue, summaries)
}

/** The catalogue of the library, or of the user's module. A module that cannot be loaded is bad input. */
async function catalogueOf(flags: Flags): Promise<{ moduleUrl: string; catalogue: Catalogue }> {
  const from = flags.file('from')
  const moduleUrl = from === undefined ? besideModule(import.meta.url, 'builtin').href : pathToFileURL(from).href
  try {
    const catalogue = await loadCatalogue(moduleUrl)
    if (catalogue !== undefined) return { moduleUrl, catalogue }
    flags.say(
      `--from must be a module whose default export is a scenario or a list of them, got ${quote(from ?? moduleUrl)}`,
    )
  } catch (error) {
    if (from === undefined) throw error
    flags.say(`--from ${quote(from)} cannot be used: ${error instanceof Error ? error.message : String(error)}`)
  }
  throw flags.refusal()
}

function tick(flags: Flags, others: readonly string[], io: Io): number {
  for (const name of ['policy', 'seeds', 'seed', 'report', 'from']) {
    if (flags.given(name)) flags.say(`--${name} does not go with tick: its figures are published ones`)
  }
  if (others.length > 0) flags.say(`tick takes nothing but --json, got ${others.join(' ')}`)
  flags.check()
  return printTick(flags.switch('json'), io)
}

function list(catalogue: Catalogue, flags: Flags, io: Io): number {
  for (const name of ['policy', 'seeds', 'seed', 'report']) {
    if (flags.given(name)) flags.say(`--${name} needs a scenario: spillway sim <id or name>`)
  }
  flags.check()
  if (flags.switch('json')) {
    const scenarios = catalogue.entries.map(({ id, name, title, asks, policies }) => ({
      id,
      name,
      title,
      asks: asks ?? null,
      policies,
    }))
    io.out(`${JSON.stringify({ scenarios, policies: catalogue.policies }, null, 2)}\n`)
    return exitCodes.holds
  }
  const rows = catalogue.entries.map(
    ({ id, name, title }) => `${id.padEnd(5)} ${name.padEnd(nameWidth(catalogue))}  ${title}`,
  )
  io.out(
    `${[...rows, '', `Policies: ${catalogue.policies.join(', ')}`, 'spillway sim <id or name> runs one.'].join('\n')}\n`,
  )
  return exitCodes.holds
}

function named(catalogue: Catalogue, flags: Flags): PlannedScenario[] {
  const all = flags.words.includes('all')
  if (all && flags.words.length > 1) flags.say('all stands alone: it is every scenario')
  const entries = all ? catalogue.entries : selectScenarios(catalogue, flags.words, flags)
  return planScenarios(catalogue, entries, flags.names('policy'), flags)
}

function seedsOf(flags: Flags): readonly number[] {
  const count = flags.integer('seeds', 1, seedsMax, flags.given('seed') ? 1 : seedsUsual)
  const first = flags.integer('seed', 0, seedMax - seedsMax, 1)
  return Array.from({ length: count }, (_, i) => first + i)
}

function nameWidth({ entries }: Catalogue): number {
  return Math.max(0, ...entries.map(({ name }) => name.length))
}
