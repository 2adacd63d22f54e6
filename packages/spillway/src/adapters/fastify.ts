// Fastify 5, one line: `app.register(spillway, { limit: 5 })`, before the routes. The door stands in onRequest, the first
// hook, so that a refusal comes before bodies are parsed and callers authenticated. Handlers are seen through onRoute, so
// that a permit waits for their promise.

import type { FastifyInstance, FastifyReply, FastifyRequest, RouteHandlerMethod, RouteOptions } from 'fastify'
import { NodeExchange } from '../propagation/node-exchange.ts'
import type { Admitted } from '../propagation/served.ts'
import { nodeRuntime } from '../runtime/node.ts'
import { createHttpGate, type ProtectOptions } from '../surface/create-gate.ts'
import type { Behind } from '../surface/protect-listener.ts'

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

/** Plugin that puts a door in front of all routes registered after it. Throws SPILLWAY_OPTIONS_INVALID. */
export function spillway(app: FastifyInstance, options: ProtectOptions, done: (error?: Error) => void): void {
  const given = Object.fromEntries(Object.entries(options).filter(([name]) => !ownOptions.includes(name)))
  const { gate, refuser } = createHttpGate('spillway', given, nodeRuntime)
  app.decorate('spillway', { door: gate.door, gateSnapshot: () => gate.snapshot() })
  app.decorateRequest('spillway', null)
  app.addHook('onRoute', (route: RouteOptions) => {
    route.handler = tracked(route.handler)
  })
  app.addHook('onRequest', (request: FastifyRequest, reply: FastifyReply, next: (error?: Error) => void) => {
    gate.serve(new NodeExchange(request.raw, reply.raw, refuser), {
      start: (admitted) => {
        request.spillway = admitted
        next()
      },
      // The refusal has gone out on the raw response; Fastify must not answer as well.
      over: () => void reply.hijack(),
      failed: (error) => next(error as Error),
    })
  })
  done()
}

// The door is for the whole application, not for a scope of its own: what the package fastify-plugin would say.
Object.assign(spillway, { [Symbol.for('skip-override')]: true, [Symbol.for('fastify.display-name')]: 'spillway' })

// A handler whose promise the permit waits for.
function tracked(handler: RouteHandlerMethod): RouteHandlerMethod {
  return function (request, reply) {
    const result: unknown = handler.call(this, request, reply)
    if (result instanceof Promise) request.spillway?.track(result)
    return result
  }
}
