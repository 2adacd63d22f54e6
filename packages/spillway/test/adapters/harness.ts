// A real server on a real port for each adapter, around one handler that knows no framework.

import { createServer, type Server } from 'node:http'
import {
  type ClientHttp2Session,
  connect,
  createServer as createHttp2Server,
  createSecureServer,
  type Http2SecureServer,
  type Http2Server,
} from 'node:http2'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import type { Door } from '../../src/core/admission-async.ts'
import type { AdmissionSnapshot } from '../../src/core/tally.ts'
import type { GateSnapshot } from '../../src/propagation/gate.ts'
import type { ProtectOptions } from '../../src/surface/create-gate.ts'
import type { Behind } from '../../src/surface/protect-listener.ts'
import type { App } from './call.ts'
import { type Asked, type Asking, ask, type Target } from './client.ts'
import { expressApp, fastifyApp, honoApp, http2App, koaApp, nodeApp, type Running } from './frameworks.ts'
import { cert, key } from './tls.ts'
import { until } from './wait.ts'

export interface Adapter {
  readonly name: string
  readonly protocol: 'http1' | 'http2'
  readonly secure: boolean
  /** Whether the permit waits for the promise of a handler. */
  readonly seesPromises: boolean
  /** Whether a framework answers when the handler fails. */
  readonly answersFailures: boolean
  listen(app: App, options: ProtectOptions): Promise<Running>
}

const plain = { protocol: 'http1', secure: false, seesPromises: true, answersFailures: true } as const

export const adapters: readonly Adapter[] = [
  {
    ...plain,
    name: 'node:http',
    answersFailures: false,
    listen: onServer(nodeApp, (listener) => createServer(listener)),
  },
  {
    ...plain,
    name: 'node:http2',
    protocol: 'http2',
    answersFailures: false,
    listen: onServer(http2App, (listener) => createHttp2Server(listener)),
  },
  {
    ...plain,
    name: 'node:http2, HTTP/1 over TLS',
    secure: true,
    answersFailures: false,
    listen: onServer(http2App, (listener) => createSecureServer({ key, cert, allowHTTP1: true }, listener)),
  },
  {
    ...plain,
    name: 'Express',
    seesPromises: false,
    listen: onServer(expressApp, (listener) => createServer(listener)),
  },
  { ...plain, name: 'Fastify', listen: fastifyApp },
  { ...plain, name: 'Hono', listen: honoApp },
  { ...plain, name: 'Koa', listen: onServer(koaApp, (listener) => createServer(listener)) },
]

export const http1 = adapters.filter(({ protocol }) => protocol === 'http1')
export const frameworks = adapters.filter(({ answersFailures }) => answersFailures)
export const nodeHttp = adapters[0] as Adapter
export const nodeHttp2 = adapters[1] as Adapter

/** For describe.each: a title and the adapter. */
export function named(some: readonly Adapter[]): [string, Adapter][] {
  return some.map((adapter) => [adapter.name, adapter])
}

/** A served app and a caller of it. */
export class Served {
  readonly running: Running
  readonly #adapter: Adapter
  #session: ClientHttp2Session | undefined

  constructor(running: Running, adapter: Adapter) {
    this.running = running
    this.#adapter = adapter
    this.reconnect()
  }

  /** A new connection of HTTP/2, where that is what is spoken. */
  reconnect(): void {
    if (this.#adapter.protocol !== 'http2') return
    this.#session?.destroy()
    this.#session = connect(`http://127.0.0.1:${this.port}`)
    this.#session.on('error', () => undefined)
  }

  get target(): Target {
    return { port: this.port, secure: this.#adapter.secure, session: this.#session }
  }

  get port(): number {
    return this.running.port
  }

  get behind(): Behind {
    return this.running.behind
  }

  get door(): Door {
    return this.behind.door
  }

  get session(): ClientHttp2Session {
    if (this.#session === undefined) throw new Error('no HTTP/2 here')
    return this.#session
  }

  accounts(): AdmissionSnapshot {
    return this.door.snapshot()
  }

  gate(): GateSnapshot {
    return this.behind.gateSnapshot()
  }

  ask(asking?: Asking): Asked {
    return ask(this.target, asking)
  }

  get(path = '/', headers: Asking['headers'] = {}): Promise<{ status: number; body: string }> {
    return this.ask({ path, headers }).reply
  }

  /** Waits until nothing runs and nothing waits. */
  async quiet(): Promise<void> {
    await until(() => this.door.inFlight === 0 && this.door.waiting === 0, 'nothing in flight')
  }

  async close(): Promise<void> {
    this.#session?.destroy()
    await this.running.close()
  }
}

/** Serves until the test is over. */
export async function serve(adapter: Adapter, app: App, options: ProtectOptions): Promise<Served> {
  const served = new Served(await adapter.listen(app, options), adapter)
  onTestFinished(() => served.close())
  return served
}

/** Every offer is in exactly one place. */
export function unaccounted(accounts: AdmissionSnapshot): number {
  const rejected = Object.values(accounts.rejected).reduce((sum, { door, queue }) => sum + door + queue, 0)
  const { offered, running, waiting, success, ignored, dropped, reclaimed, cancelled } = accounts
  return offered - (running + waiting + success + ignored + dropped + reclaimed + cancelled + rejected)
}

type NodeServer = Server | Http2Server | Http2SecureServer

function onServer<L extends object>(
  makeApp: (app: App, options: ProtectOptions) => { listener: L; behind: Behind },
  makeServer: (listener: L) => NodeServer,
) {
  return async (app: App, options: ProtectOptions): Promise<Running> => {
    const { listener, behind } = makeApp(app, options)
    const server = makeServer(listener)
    return { ...(await listening(server)), behind }
  }
}

/** Listens, and closes with everything that is still open. */
export async function listening(server: NodeServer): Promise<Omit<Running, 'behind'>> {
  const sockets = new Set<{ destroy(): void }>()
  server.on('connection', (socket: NodeJS.Socket & { destroy(): void }) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve())
      for (const socket of sockets) socket.destroy()
    })
  return { server, port: (server.address() as AddressInfo).port, close }
}
