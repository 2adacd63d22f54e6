// The database in a process of its own, which outlives the services that use it and stops when the parent is gone.

import { serveParent, tell } from './child.ts'
import { type Database, startDatabase } from './database.ts'

// Stopping takes a fraction of a second. Past this something is wrong, and what is left is killed.
const stopWithinMs = 8000

let database: Promise<Database> | undefined

async function stop(): Promise<void> {
  // This process leads a group of its own (see processes.ts), so this reaches the database and nobody else.
  const timer = setTimeout(() => process.kill(-process.pid, 'SIGKILL'), stopWithinMs)
  // A database that is still being made is finished first: half-made files could not be told from another's.
  const started = await database?.catch(() => undefined)
  await started?.stop()
  clearTimeout(timer)
}

serveParent(async () => {
  database = startDatabase()
  tell({ type: 'address', address: (await database).address })
}, stop)
