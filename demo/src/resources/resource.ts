// What every scarce resource of the demo looks like to a service, and the list of those there are. A new one is a file
// beside this one and a line in the list.

import type { DatabaseAddress } from '../messages.ts'
import { openCpu } from './cpu.ts'
import { openPool } from './pool.ts'

export type Resource = {
  /** Waits for its turn, does the work, and is done. */
  use(): Promise<void>
  running(): number
  waiting(): number
  close(): Promise<void>
}

export type ResourceKind = {
  /** How many may use it at once. It is the protected service's limit and the number of callers that measure capacity. */
  readonly slots: number
  /** Whether the twins may be loaded at the same time. Two services that need a whole core each may not. */
  readonly together: boolean
  /** Whether the demo holds the protected service to the bars below, or only reports. */
  readonly judged: boolean
  readonly needsDatabase: boolean
  readonly summary: string
  open(database: DatabaseAddress | undefined): Promise<Resource>
}

export const resourceNames = ['pool', 'cpu', 'postgres'] as const
export type ResourceName = (typeof resourceNames)[number]

export const resourceKinds: Record<ResourceName, ResourceKind> = {
  pool: {
    slots: 5,
    together: true,
    judged: true,
    needsDatabase: false,
    summary: 'a pool of 5 slots, 50 ms each',
    open: async () => openPool(5),
  },
  cpu: {
    slots: 1,
    together: false,
    judged: false,
    needsDatabase: false,
    summary: 'one core, 5 ms of synchronous work each',
    open: async () => openCpu(),
  },
  postgres: {
    slots: 5,
    together: true,
    judged: true,
    needsDatabase: true,
    summary: 'PostgreSQL behind a pool of 5, pg_sleep(0.05) each',
    async open(database) {
      if (database === undefined) throw new Error('the postgres resource needs the address of its database')
      // Loaded when it is wanted: a driver that nobody uses would count as a service's memory.
      const { openPostgres } = await import('./postgres.ts')
      return openPostgres(5, database)
    },
  },
}
