// A real PostgreSQL behind a pool of five connections, running a query that takes 50 ms and costs the database nothing.
// The pool is the driver's own, with its defaults: who finds no free connection waits without end.

import pg from 'pg'
import type { DatabaseAddress } from '../messages.ts'
import type { Resource } from './resource.ts'

export async function openPostgres(slots: number, address: DatabaseAddress): Promise<Resource> {
  const pool = new pg.Pool({ ...address, max: slots, idleTimeoutMillis: 0 })
  // The pool reports a connection that the server closed, for example when the database stops first. The next query
  // fails and is counted, so there is nothing more to do here.
  pool.on('error', () => {})
  // Connect before the load does, so that opening connections is not part of what is measured.
  await Promise.all(Array.from({ length: slots }, () => pool.query('SELECT pg_sleep(0.01)')))
  return {
    async use() {
      await pool.query('SELECT pg_sleep(0.05)')
    },
    running: () => pool.totalCount - pool.idleCount,
    waiting: () => pool.waitingCount,
    close: () => pool.end(),
  }
}
