// Fastify 5, one line: `app.register(spillway, { limit: 5 })`, before the routes. The door stands in onRequest, the first
// hook, so that a refusal comes before bodies are parsed and callers authenticated.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { NodeExchange } from '../propagation/node-exchange.ts'
import type { Admitted } from '../propagation/served.ts'
import { isThenable } from '../propagation/thenable.ts'
import { nodeRuntime } from '../runtime/node.ts'
import { createHttpGate, type HttpGate, type ProtectOptions } from '../surface/create-gate.ts'
import { type Behind, behindOf } from '../surface/protect-listener.ts'

export type { Admitted, Behind, ProtectOptions }

declare module 'fastify' {
  interface FastifyInstance {
    /** The door and what is counted beside it; set by the `spillway` plugin. */
    spillway: Behind
  }
  interface FastifyRequest {
    /** Whether the caller still waits, and how long; set by the `spillway` plugin. */
    spillway: Admitted | null
  }
}

// Options that Fastify itself takes from what is given to register().
const ownOptions = ['prefix', 'logLevel', 'logSerializers']

/** Plugin that puts a door in front of all routes. Fails with SPILLWAY_OPTIONS_INVALID. */
export function spillway(app: FastifyInstance, options: ProtectOptions, done: (error?: Error) => void): void {
  const given = Object.fromEntries(Object.entries(options).filter(([name]) => !ownOptions.includes(name)))
  let http: HttpGate
  try {
    http = createHttpGate('spillway', given, nodeRuntime)
  } catch (error) {
    // Fastify does not catch what a plugin throws; register() rejects with what it is handed.
    done(error as Error)
    return
  }
  const handlers = new HandlerPromises()
  app.decorate('spillway', behindOf(http))
  app.decorateRequest('spillway', null)
  app.addHook('onRequest', (request: FastifyRequest, reply: FastifyReply, next: (error?: Error) => void) => {
    http.gate.serve(new NodeExchange(request.raw, reply.raw, http.refuser), {
      start: (admitted) => {
        request.spillway = admitted
        handlers.watch(request)
        next()
      },
      // The refusal has gone out on the raw response, or there is nobody to answer; Fastify must not.
      notStarted: () => void reply.hijack(),
      failed: (error) => next(error as Error),
      failuresAnswered: true,
    })
  })
  done()
}

// The door is for the whole application, not for a scope of its own: what the package fastify-plugin would say.
Object.assign(spillway, { [Symbol.for('skip-override')]: true, [Symbol.for('fastify.display-name')]: 'spillway' })

/** What Fastify keeps of a route, the one that answers 404 included. */
interface Route {
  handler: (request: FastifyRequest, reply: FastifyReply) => unknown
}

// Makes permits wait for the promises of handlers. The hook onRoute, the documented way to the handlers, is not run for
// routes that are declared after `app.register(…)` without awaiting it, which is how most people write it, nor for the
// handler of 404s; so a route is taken from the first request that meets it. Fastify keeps it under a symbol of its own;
// should that change, permits come back with the response.
class HandlerPromises {
  readonly #watched = new WeakSet<Route>()
  #symbol: symbol | undefined

  watch(request: FastifyRequest): void {
    this.#symbol ??= Object.getOwnPropertySymbols(request).find(({ description }) => description === 'fastify.context')
    if (this.#symbol === undefined) return
    const route = (request as unknown as Record<symbol, Route | undefined>)[this.#symbol]
    if (route === undefined || this.#watched.has(route)) return
    this.#watched.add(route)
    const { handler } = route
    route.handler = (request, reply) => {
      const result = handler(request, reply)
      if (isThenable(result)) request.spillway?.track(result)
      return result
    }
  }
}
