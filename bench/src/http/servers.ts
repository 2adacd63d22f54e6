// The same greeting, served by each framework, bare and with one line of Spillway. The limit is far above the number of
// connections, so that nothing waits and nothing is refused. A framework is imported only in the process that runs it.

import { createServer as createHttp, type Server } from 'node:http'
import { createServer as createHttp2, type Http2Server } from 'node:http2'
import type { AdapterName, Variant } from './messages.ts'

export type AnyServer = Server | Http2Server
type Factory = (gated: boolean) => AnyServer | Promise<AnyServer>

const TEXT = 'Hello, world!'
const options = { limit: 1000 }
const headers = { 'content-type': 'text/plain', 'content-length': TEXT.length }

const factories: Readonly<Record<AdapterName, Factory>> = {
  'node-http': async (gated) => {
    const { protect } = await import('spillway/node-http')
    const hello = (_: unknown, response: import('node:http').ServerResponse): void => {
      response.writeHead(200, headers)
      response.end(TEXT)
    }
    return createHttp(gated ? protect(hello, options) : hello)
  },

  http2: async (gated) => {
    const { protect } = await import('spillway/http2')
    const hello = (_: unknown, response: import('node:http2').Http2ServerResponse): void => {
      response.writeHead(200, headers)
      response.end(TEXT)
    }
    return createHttp2(gated ? protect(hello, options) : hello)
  },

  express: async (gated) => {
    const { default: express } = await import('express')
    const { spillway } = await import('spillway/express')
    const app = express()
    if (gated) app.use(spillway(options))
    app.get('/', (_, response) => {
      response.send(TEXT)
    })
    return createHttp(app)
  },

  fastify: async (gated) => {
    const { fastify } = await import('fastify')
    const { spillway } = await import('spillway/fastify')
    const app = fastify()
    if (gated) await app.register(spillway, options)
    app.get('/', (_, reply) => reply.send(TEXT))
    await app.ready()
    return app.server
  },

  hono: async (gated) => {
    const { createAdaptorServer } = await import('@hono/node-server')
    const { Hono } = await import('hono')
    const { spillway } = await import('spillway/hono')
    const app = new Hono()
    if (gated) app.use(spillway(options))
    app.get('/', (context) => context.text(TEXT))
    return createAdaptorServer({ fetch: app.fetch }) as Server
  },

  koa: async (gated) => {
    const { default: Koa } = await import('koa')
    const { spillway } = await import('spillway/koa')
    const app = new Koa()
    if (gated) app.use(spillway(options))
    app.use((context) => {
      context.body = TEXT
    })
    return createHttp(app.callback())
  },
}

export function helloServer(adapter: AdapterName, variant: Variant): AnyServer | Promise<AnyServer> {
  return factories[adapter](variant === 'gated')
}
