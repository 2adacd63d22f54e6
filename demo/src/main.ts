// `npm start`: measures the capacity of a scarce resource, drives a bare and a protected service in front of it through
// an incident, and shows what became of their callers.

import { interruptible, print, printProblems } from './command.ts'
import { helpOf, parseFlags } from './flags.ts'
import { createLiveView } from './live.ts'
import { mainFlags } from './options.ts'
import { fullPlan, quickPlan } from './plan.ts'
import { Processes } from './processes.ts'
import { claimReportFile } from './report/file.ts'
import { reportPage } from './report/page.ts'
import { finalTable } from './report/table.ts'
import { runDemo } from './run.ts'
import { summarise } from './summary.ts'
import { exitStatus, judge } from './verdict.ts'

async function main(args: readonly string[]): Promise<number> {
  const { values: flags, problems } = parseFlags(mainFlags, args)
  if (problems !== undefined) return printProblems(problems)
  if (flags.help) {
    await print(
      process.stdout,
      helpOf(
        mainFlags,
        'npm start -- [flags]',
        'Drives two services, one bare and one with Spillway, through the same overload and compares them.',
      ),
    )
    return 0
  }
  const file = claimReportFile(flags.html, flags.resource)
  if (file.problem !== undefined) return printProblems([file.problem])

  const processes = new Processes()
  const view = createLiveView(process.stderr)
  return interruptible(processes, async () => {
    const plan = flags.quick ? quickPlan : fullPlan
    const record = await runDemo({ resource: flags.resource, seed: flags.seed, plan }, processes, view)
    view.end()
    const summary = summarise(record)
    const verdict = judge(record, summary)
    file.write(reportPage(record, summary, verdict))
    await print(flags.json ? process.stderr : process.stdout, finalTable(record, summary, verdict))
    await print(process.stderr, `Report: ${file.path}\n`)
    if (flags.json) await print(process.stdout, `${JSON.stringify(summary)}\n`)
    return exitStatus(verdict)
  })
}

process.exitCode = await main(process.argv.slice(2))
