// One neutral handler, served by every adapter on a real socket, so that one suite can hold them all to the same.

import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import { createServer as createHttp2Server } from 'node:http2'
import type { AddressInfo } from 'node:net'
import { serve } from '@hono/node-server'
import express from 'express'
import fastify from 'fastify'
import { Hono } from 'hono'
import Koa from 'koa'
import { spillway as expressSpillway } from '../../src/adapters/express.ts'
import { spillway as fastifySpillway } from '../../src/adapters/fastify.ts'
import { spillway as honoSpillway } from '../../src/adapters/hono.ts'
import { protect as protectHttp2 } from '../../src/adapters/http2.ts'
import { spillway as koaSpillway } from '../../src/adapters/koa.ts'
import { protect } from '../../src/adapters/node-http.ts'
import type { Door } from '../../src/core/admission-async.ts'
import type { Admitted } from '../../src/propagation/served.ts'
import type { ProtectOptions } from '../../src/surface/create-gate.ts'
import type { Behind } from '../../src/surface/protect-listener.ts'

/** What a handler answers with; undefined leaves the response to whoever took the raw one. */
export interface Answer {
  readonly status?: number
  readonly body?: string
}

/** A handler in neutral form. `raw` is Node's response. */
export type Handle = (raw: ServerResponse, admitted: Admitted, request: IncomingMessage) => Promise<Answer>

export interface Served {
  readonly port: number
  readonly door: Door
  readonly behind: Behind
  close(): Promise<void>
}

export interface Adapter {
  readonly name: string
  readonly http2: boolean
  /** Whether the adapter sees the promise of a handler. */
  readonly seesPromises: boolean
  start(handle: Handle, options: ProtectOptions): Promise<Served>
}

async function listening(server: Server, behind: Behind): Promise<Served> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections?.()
    })
  return { port: (server.address() as AddressInfo).port, door: behind.door, behind, close }
}

function send(response: ServerResponse, { status = 200, body = 'ok' }: Answer): void {
  if (response.headersSent || response.writableEnded) return
  response.statusCode = status
  response.end(status === 204 || status === 304 ? undefined : body)
}

export const adapters: readonly Adapter[] = [
  {
    name: 'node:http',
    http2: false,
    seesPromises: true,
    start(handle, options) {
      const listener = protect(async (request, response, admitted) => {
        send(response, await handle(response, admitted, request))
      }, options)
      return listening(createServer(listener), listener)
    },
  },
  {
    name: 'node:http2',
    http2: true,
    seesPromises: true,
    async start(handle, options) {
      const listener = protectHttp2(async (request, response, admitted) => {
        const raw = response as unknown as ServerResponse
        send(raw, await handle(raw, admitted, request as unknown as IncomingMessage))
      }, options)
      const server = createHttp2Server(listener)
      const sessions = new Set<{ destroy(): void }>()
      server.on('session', (session) => sessions.add(session))
      const served = await listening(server as unknown as Server, listener)
      const close = () => {
        for (const session of sessions) session.destroy()
        return new Promise<void>((resolve) => server.close(() => resolve()))
      }
      return { ...served, close }
    },
  },
  {
    name: 'Express',
    http2: false,
    seesPromises: false,
    start(handle, options) {
      const app = express()
      const middleware = expressSpillway(options)
      app.use(middleware)
      app.use(express.text())
      app.use(async (request, response) => {
        send(response, await handle(response, request.spillway as Admitted, request))
      })
      app.use(((_error, _request, response, _next) => {
        response.status(500).end('failed')
      }) as express.ErrorRequestHandler)
      return listening(createServer(app), middleware)
    },
  },
  {
    name: 'Fastify',
    http2: false,
    seesPromises: true,
    async start(handle, options) {
      const app = fastify()
      await app.register(fastifySpillway, options)
      app.all('*', async (request, reply) => {
        const { status = 200, body = 'ok' } = await handle(reply.raw, request.spillway as Admitted, request.raw)
        if (reply.raw.headersSent) return reply.hijack()
        return reply.code(status).send(status === 204 || status === 304 ? undefined : body)
      })
      await app.ready()
      return listening(app.server, app.spillway)
    },
  },
  {
    name: 'Hono',
    http2: false,
    seesPromises: true,
    async start(handle, options) {
      const app = new Hono<{ Bindings: { incoming: IncomingMessage; outgoing: ServerResponse } }>()
      const middleware = honoSpillway(options)
      app.use(middleware)
      app.all('*', async (context) => {
        const { status = 200, body = 'ok' } = await handle(
          context.env.outgoing,
          context.get('spillway' as never) as Admitted,
          context.env.incoming,
        )
        if (context.env.outgoing.headersSent) return new Response(null, { headers: { 'x-hono-already-sent': 'true' } })
        return new Response(status === 204 || status === 304 ? null : body, { status })
      })
      app.onError((_error, context) => context.text('failed', 500))
      const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }) as Server
      await new Promise<void>((resolve) => server.once('listening', resolve))
      const close = () =>
        new Promise<void>((resolve) => {
          server.close(() => resolve())
          server.closeAllConnections()
        })
      return { port: (server.address() as AddressInfo).port, door: middleware.door, behind: middleware, close }
    },
  },
  {
    name: 'Koa',
    http2: false,
    seesPromises: true,
    start(handle, options) {
      const app = new Koa()
      app.silent = true
      const middleware = koaSpillway(options)
      app.use(middleware)
      app.use(async (context) => {
        const { status = 200, body = 'ok' } = await handle(context.res, context.state.spillway, context.req)
        if (context.res.headersSent) {
          context.respond = false
          return
        }
        context.status = status
        if (status !== 204 && status !== 304) context.body = body
      })
      return listening(createServer(app.callback()), middleware)
    },
  },
]
