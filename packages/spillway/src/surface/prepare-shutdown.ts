// An orderly end of a server and its doors. Closing a server only stops new connections: old ones go on bringing
// requests (case C127), a connection that never spoke holds everything up, and upgraded sockets are nobody's (case C129).
// Which connections are silent, and which are upgraded, can only be known by whoever saw them open; so a shutdown is
// prepared when the server is made and run when it is wanted.

import type { Socket } from 'node:net'
import { Door } from '../core/admission-async.ts'
import type { DrainResult } from '../core/drain.ts'
import { type Given, number, resolveOptions } from '../core/options.ts'
import type { Runtime, Timer } from '../core/runtime.ts'
import { nodeRuntime } from '../runtime/node.ts'
import type { Behind } from './protect-listener.ts'

/** A server of node:http, node:https or node:http2. */
export interface ClosableServer {
  on(event: string, listener: (...args: never[]) => void): unknown
  prependListener(event: string, listener: (...args: never[]) => void): unknown
  close(whenClosed?: (error?: Error) => void): unknown
  closeIdleConnections?(): void
  closeAllConnections?(): void
}

/** How a shutdown ended. */
export interface ShutdownResult {
  /** Whether all work had ended within the grace period. */
  readonly drained: boolean
  /** Permits still running when it ended. */
  readonly running: number
  /** Connections still open when the grace period was over, and closed for it. */
  readonly connectionsCut: number
}

const DAY_MS = 86_400_000

export const shutdownOptions = {
  /** How long work, streams and connections may take to end, ms. Default 10 000. */
  graceMs: number(0, DAY_MS, {
    unit: 'ms',
    default: 10_000,
    about: 'How long work, streams and connections may take to end. What is open then is closed.',
    tooLow: 'Work in hand is cut off.',
    tooHigh: 'Whoever stops the process kills it first, and cuts off everything.',
  }),
}

/** Options of {@link prepareShutdown}. */
export type ShutdownOptions = Given<typeof shutdownOptions>

// How often connections are looked at that have become idle. Halved, it costs more; doubled, the end comes later.
const REAP_MS = 50
// How long closing may take once everything has been closed that is known of.
const CLOSE_MS_MAX = 500

type Doors = Door | Behind | readonly (Door | Behind)[]

/**
 * Watches the connections of a server, from before it listens, and returns the function that shuts it down, once: stops
 * accepting, drains the doors, tells streams and HTTP/2 sessions to end, closes idle and silent connections at once and
 * the rest at the end of the grace period. It never rejects; called again it returns the same promise. Throws
 * SPILLWAY_OPTIONS_INVALID.
 */
export function prepareShutdown(
  server: ClosableServer,
  doors: Doors,
  options: ShutdownOptions = {},
  runtime: Runtime = nodeRuntime,
): () => Promise<ShutdownResult> {
  const { graceMs } = resolveOptions('prepareShutdown', shutdownOptions, options)
  const shutdown = new Shutdown(server, Array.isArray(doors) ? doors : [doors], graceMs, runtime)
  let result: Promise<ShutdownResult> | undefined
  return () => {
    result ??= shutdown.run()
    return result
  }
}

/** What is needed of a session of node:http2. */
interface Session {
  close(): void
  destroy(): void
  once(event: 'close', listener: () => void): unknown
}

class Shutdown {
  readonly #server: ClosableServer
  readonly #doors: readonly (Door | Behind)[]
  readonly #graceMs: number
  readonly #runtime: Runtime
  // Open connections and sessions: as many as the server has.
  readonly #sockets = new Set<Socket>()
  readonly #sessions = new Set<Session>()
  #connectionsCut = 0

  constructor(server: ClosableServer, doors: readonly (Door | Behind)[], graceMs: number, runtime: Runtime) {
    this.#server = server
    this.#doors = doors
    this.#graceMs = graceMs
    this.#runtime = runtime
    server.on('connection', (socket: Socket) => keepWhileOpen(this.#sockets, socket))
    server.on('session', (session: Session) => keepWhileOpen(this.#sessions, session))
  }

  async run(): Promise<ShutdownResult> {
    const { graceMs } = this.#graceAndServer
    const closed = this.#closeServer()
    const drains = this.#doors.map((door) => (door instanceof Door ? door : door.door).drain({ graceMs }))
    for (const door of this.#doors) if (!(door instanceof Door)) door.goAway()
    for (const session of this.#sessions) session.close()
    // Whoever has not said a byte waits for nothing.
    for (const socket of this.#sockets) if (socket.bytesRead === 0) socket.destroy()
    const results = await Promise.all(drains)
    await closed
    return { ...sum(results), connectionsCut: this.#connectionsCut }
  }
}
