// The neutral handler in the words of each framework.

import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Http2SecureServer, Http2Server, Http2ServerRequest, Http2ServerResponse } from 'node:http2'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { type HttpBindings, serve as serveHono } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import express from 'express'
import fastify, { type FastifyReply, type FastifyRequest } from 'fastify'
import { type Context, Hono } from 'hono'
import Koa from 'koa'
import { spillway as expressSpillway } from '../../src/adapters/express.ts'
import { spillway as fastifySpillway } from '../../src/adapters/fastify.ts'
import { spillway as honoSpillway, type SpillwayVariables } from '../../src/adapters/hono.ts'
import { protect as protectHttp2 } from '../../src/adapters/http2.ts'
import { spillway as koaSpillway } from '../../src/adapters/koa.ts'
import { protect } from '../../src/adapters/node-http.ts'
import type { NodeRequest, NodeResponse } from '../../src/propagation/node-exchange.ts'
import type { Admitted } from '../../src/propagation/served.ts'
import type { ProtectOptions } from '../../src/surface/create-gate.ts'
import type { Behind } from '../../src/surface/protect-listener.ts'
import { type Answer, type App, type Call, type Result, taken } from './call.ts'

/** A server that listens. */
export interface Running {
  readonly server: Server | Http2Server | Http2SecureServer
  readonly port: number
  readonly behind: Behind
  close(): Promise<void>
}

function callOf(request: NodeRequest, response: NodeResponse, admitted: Admitted): Call {
  return { method: request.method ?? '', url: request.url ?? '', admitted, request, response }
}

// --- bare Node ---

function sendRaw(response: NodeResponse, result: Result): void {
  if (result === taken || response.writableEnded) return
  const { status = 200, headers = {}, body, chunks } = result
  // Both kinds have these methods, in types that TypeScript cannot join.
  const writable = response as ServerResponse
  writable.writeHead(status, headers)
  for (const chunk of chunks ?? []) writable.write(chunk)
  if (body === undefined) writable.end()
  else writable.end(body)
}

// Synchronous where the handler is, so that the door meets both kinds.
function runRaw({ handle, hook }: App, call: Call): unknown {
  const answer = (result: Result): void => sendRaw(call.response, result)
  const afterHook = (early: Answer | undefined): unknown => {
    if (early !== undefined) return answer(early)
    const result = handle(call)
    return result instanceof Promise ? result.then(answer) : answer(result)
  }
  const early = hook?.(call)
  return early instanceof Promise ? early.then(afterHook) : afterHook(early)
}

export function nodeApp(app: App, options: ProtectOptions) {
  const listener = protect(
    (request: IncomingMessage, response: ServerResponse, admitted) => runRaw(app, callOf(request, response, admitted)),
    options,
  )
  return { listener, behind: listener }
}

export function http2App(app: App, options: ProtectOptions) {
  const listener = protectHttp2(
    (request: Http2ServerRequest, response: Http2ServerResponse, admitted) =>
      runRaw(app, callOf(request, response, admitted)),
    options,
  )
  return { listener, behind: listener }
}

// --- Express ---

export function expressApp({ handle, hook }: App, options: ProtectOptions) {
  const app = express()
  const door = expressSpillway(options)
  app.use(door)
  const callIn = (request: express.Request, response: express.Response): Call =>
    callOf(request, response, request.spillway as Admitted)
  const send = (response: express.Response, result: Result): void => {
    if (result === taken) return
    const { status = 200, headers = {}, body, chunks } = result
    response.status(status).set(headers)
    if (chunks !== undefined) Readable.from(chunks).pipe(response)
    else if (body === undefined) response.end()
    else response.send(body)
  }
  app.use((request, response, next) => {
    const early = hook?.(callIn(request, response))
    const go = (answer: Answer | undefined): void => (answer === undefined ? next() : send(response, answer))
    return early instanceof Promise ? early.then(go) : go(early)
  })
  app.use((request, response) => {
    const result = handle(callIn(request, response))
    return result instanceof Promise ? result.then((answer) => send(response, answer)) : send(response, result)
  })
  app.use(((_error, _request, response, next) => {
    if (response.headersSent) next(_error)
    else response.status(500).send('failed')
  }) satisfies express.ErrorRequestHandler)
  return { listener: app, behind: door }
}

// --- Fastify ---

export async function fastifyApp({ handle, hook }: App, options: ProtectOptions): Promise<Running> {
  const app = fastify({ forceCloseConnections: true })
  // As most people write it: not awaited, and the routes right after it.
  app.register(fastifySpillway, options)
  const callIn = (request: FastifyRequest, reply: FastifyReply): Call =>
    callOf(request.raw, reply.raw, request.spillway as Admitted)
  const send = (reply: FastifyReply, result: Result): FastifyReply => {
    if (result === taken) return reply.hijack()
    const { status = 200, headers = {}, body, chunks } = result
    return reply
      .code(status)
      .headers(headers)
      .send(chunks === undefined ? body : Readable.from(chunks))
  }
  app.addHook('preHandler', (request, reply, next) => {
    const early = hook?.(callIn(request, reply))
    const go = (answer: Answer | undefined): void => void (answer === undefined ? next() : send(reply, answer))
    if (early instanceof Promise) early.then(go).catch(next)
    else go(early)
  })
  // Bodies are the handler's business here, as for the other frameworks.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _payload, done) => done(null))
  app.all('*', (request, reply) => {
    const result = handle(callIn(request, reply))
    return result instanceof Promise ? result.then((answer) => send(reply, answer)) : void send(reply, result)
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  return { server: app.server, port, behind: app.spillway, close: () => app.close() }
}

// --- Hono ---

interface HonoEnv {
  Bindings: HttpBindings
  Variables: SpillwayVariables
}

export async function honoApp({ handle, hook }: App, options: ProtectOptions): Promise<Running> {
  const app = new Hono<HonoEnv>()
  const door = honoSpillway(options)
  app.use(door)
  const callIn = (context: Context<HonoEnv>): Call =>
    callOf(context.env.incoming, context.env.outgoing, context.get('spillway'))
  const send = (result: Result): Response => {
    if (result === taken) return RESPONSE_ALREADY_SENT
    const { status = 200, headers = {}, body = null, chunks } = result
    const stream = chunks && (Readable.toWeb(Readable.from(chunks.map((text) => Buffer.from(text)))) as ReadableStream)
    return new Response(stream ?? (typeof body === 'string' ? body : body && new Uint8Array(body)), { status, headers })
  }
  app.use(async (context, next) => {
    const early = await hook?.(callIn(context))
    if (early !== undefined) return send(early)
    await next()
    return undefined
  })
  const respond = (context: Context<HonoEnv>): Response | Promise<Response> => {
    const result = handle(callIn(context))
    return result instanceof Promise ? result.then(send) : send(result)
  }
  app.all('*', respond)
  app.onError((_error, context) => context.text('failed', 500))
  const server = await new Promise<Server>((resolve) => {
    const made = serveHono({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, () => resolve(made as Server))
  })
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  return { server, port: (server.address() as AddressInfo).port, behind: door, close }
}

// --- Koa ---

export function koaApp({ handle, hook }: App, options: ProtectOptions) {
  const app = new Koa()
  app.silent = true
  const door = koaSpillway(options)
  app.use(door)
  const callIn = (context: Koa.Context): Call => callOf(context.req, context.res, context.state.spillway)
  const send = (context: Koa.Context, result: Result): void => {
    if (result === taken) {
      context.respond = false
      return
    }
    const { status = 200, headers = {}, body, chunks } = result
    context.status = status
    context.set(headers)
    context.body = chunks === undefined ? (body ?? null) : Readable.from(chunks)
    if (body === undefined && chunks === undefined) context.status = status
  }
  app.use(async (context, next) => {
    const early = await hook?.(callIn(context))
    if (early === undefined) return next()
    send(context, early)
  })
  app.use((context) => {
    const result = handle(callIn(context))
    return result instanceof Promise ? result.then((answer) => send(context, answer)) : send(context, result)
  })
  return { listener: app.callback(), behind: door }
}
