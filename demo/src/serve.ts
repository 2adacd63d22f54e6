// `npm run demo:serve`: keeps one of the demo's services up until Ctrl-C, for load from elsewhere.

import { once } from 'node:events'
import { interruptible, print, printProblems } from './command.ts'
import { helpOf, parseFlags, type Values } from './flags.ts'
import type { DatabaseAddress } from './messages.ts'
import { serveFlags } from './options.ts'
import { Processes } from './processes.ts'
import { resourceKinds } from './resources/resource.ts'
import { createService, listen } from './service.ts'

async function main(args: readonly string[]): Promise<number> {
  const { values: flags, problems } = parseFlags(serveFlags, args)
  if (problems !== undefined) return printProblems(problems)
  if (flags.help) {
    await print(
      process.stdout,
      helpOf(serveFlags, 'npm run demo:serve -- [flags]', "Keeps one of the demo's services up until Ctrl-C."),
    )
    return 0
  }
  const processes = new Processes()
  // Ctrl-C is how this command is meant to end.
  return interruptible(
    processes,
    () => serve(flags, processes),
    () => 0,
  )
}

async function serve(flags: Values<typeof serveFlags>, processes: Processes): Promise<number> {
  const kind = resourceKinds[flags.resource]
  let database: DatabaseAddress | undefined
  if (kind.needsDatabase) {
    await print(process.stderr, 'Starting PostgreSQL.\n')
    const child = await processes.start('database', 'the database')
    child.order({})
    database = (await child.next('address')).address
  }
  const resource = await kind.open(database)
  const { server } = createService({ service: flags.service, resource, limit: kind.slots })
  try {
    const port = await listen(server, flags.port)
    await print(
      process.stderr,
      `The ${flags.service} service, ${kind.summary}, listens on http://127.0.0.1:${port}. Ctrl-C stops it.\n`,
    )
  } catch (error) {
    await resource.close()
    return printProblems([whyNotListening(error, flags.port)])
  }
  await once(server, 'close')
  return 0
}

function whyNotListening(error: unknown, port: number): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'EADDRINUSE') return `--port ${port} is in use on 127.0.0.1; give another, or 0 for a free one`
  if (code === 'EACCES')
    return `--port ${port} may not be used by this account; give one from 1024 on, or 0 for a free one`
  return `--port ${port} cannot be listened on: ${error instanceof Error ? error.message : String(error)}`
}

process.exitCode = await main(process.argv.slice(2))
