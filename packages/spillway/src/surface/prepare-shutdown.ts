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
// How long the refusals that end the grace period have to reach their callers, before connections are cut.
const LAST_ANSWERS_MS = 50
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
    // First, so that the doors' own grace ends before ours, and with it the waiting of those who can still be told.
    const drained = this.#doors.map((door) => doorOf(door).drain({ graceMs: this.#graceMs }))
    const closed = new Promise<void>((resolve) => this.#close(resolve))
    for (const door of this.#doors) if (!(door instanceof Door)) door.goAway()
    // Sends GOAWAY, and closes when the streams have ended.
    for (const session of this.#sessions) session.close()
    // Whoever has not said a byte waits for nothing.
    for (const socket of this.#sockets) if (socket.bytesRead === 0) socket.destroy()
    const results = await Promise.all(drained)
    await closed
    return { ...inAll(results), connectionsCut: this.#connectionsCut }
  }

  // Calls back once, when no connection is open any more.
  #close(whenClosed: () => void): void {
    const runtime = this.#runtime
    let running = true
    let reaper: Timer | undefined
    let grace: Timer | undefined
    const over = (): void => {
      if (reaper !== undefined) runtime.clearTimer(reaper)
      if (grace !== undefined) runtime.clearTimer(grace)
      whenClosed()
    }
    const reap = (): void => {
      this.#server.closeIdleConnections?.()
      if (!running && this.#sockets.size === 0) over()
      else reaper = runtime.setTimer(reap, REAP_MS)
    }
    grace = runtime.setTimer(() => {
      this.#cut()
      // What was upgraded before anyone watched cannot be closed by us; it must not keep the answer.
      grace = runtime.setTimer(over, CLOSE_MS_MAX)
    }, this.#graceMs + LAST_ANSWERS_MS)
    // Also where no door stands, such as a health check or a route of its own.
    this.#server.prependListener('request', (_request: unknown, response: { shouldKeepAlive: boolean }) => {
      response.shouldKeepAlive = false
    })
    this.#server.close((error) => {
      // Someone else has closed it before, or it never listened: then nobody tells us, and we look ourselves.
      running = error === undefined
      if (running) over()
    })
    reap()
  }

  #cut(): void {
    this.#connectionsCut = this.#sockets.size
    for (const session of this.#sessions) session.destroy()
    for (const socket of this.#sockets) socket.destroy()
    this.#server.closeAllConnections?.()
  }
}

function keepWhileOpen<T extends { once(event: 'close', listener: () => void): unknown }>(open: Set<T>, item: T): void {
  open.add(item)
  item.once('close', () => open.delete(item))
}

function doorOf(door: Door | Behind): Door {
  return door instanceof Door ? door : door.door
}

function inAll(results: readonly DrainResult[]): DrainResult {
  return {
    drained: results.every(({ drained }) => drained),
    running: results.reduce((sum, { running }) => sum + running, 0),
  }
}
