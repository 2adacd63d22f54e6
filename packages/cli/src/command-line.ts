// Which command is meant, and how every command ends: its exit code, and one line on stderr when something is wrong with what
// it was given. A new command is a file of its own and one line in `commands`.

import { Command, CommanderError } from 'commander'
import { exitCodeHelp, exitCodes, fault, interrupted } from './exit-codes.ts'
import type { Io } from './io.ts'
import { BadInput } from './problems.ts'
import { simCommand } from './sim/command.ts'

const commands: readonly CommandMaker[] = [simCommand]

/** Declares a command; its action hands the exit code to `end`. */
export type CommandMaker = (io: Io, end: (exitCode: number) => void) => Command

export async function runCommandLine(args: readonly string[], io: Io): Promise<number> {
  let exitCode: number = exitCodes.holds
  const program = new Command('spillway')
    .description('Overload control for Node.js services: simulate a service under overload and get a verdict.')
    .addHelpText('after', exitCodeHelp)
  for (const make of commands) program.addCommand(make(io, (code) => (exitCode = code)))
  for (const command of [program, ...program.commands]) {
    // Commander neither ends the process nor words the errors: both are done below, for all commands alike.
    command.exitOverride().configureOutput({ writeOut: io.out, writeErr: () => {} })
  }
  try {
    if (args.length === 0) program.help()
    await program.parseAsync([...args], { from: 'user' })
    return exitCode
  } catch (error) {
    return failed(error, io)
  }
}

function failed(error: unknown, io: Io): number {
  if (io.signal.aborted) {
    io.err('spillway: interrupted\n')
    return interrupted
  }
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return exitCodes.holds
    io.err(`spillway: ${error.message.replace(/^error: /, '')}\nRun spillway --help for what there is.\n`)
    return exitCodes.badInput
  }
  if (error instanceof BadInput) {
    io.err(`${error.command}: ${error.message}\nRun ${error.command} --help for what it takes.\n`)
    return exitCodes.badInput
  }
  io.err(`${error instanceof Error ? error.stack : String(error)}\n`)
  return fault
}
