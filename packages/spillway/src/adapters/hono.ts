// Hono on Node (@hono/node-server), one line: `app.use(spillway({ limit: 5 }))`, before every other middleware.

import type { HttpBindings } from '@hono/node-server'
import type { Context, MiddlewareHandler, Next } from 'hono'
import { SpillwayError } from '../core/errors.ts'
import { deafen, NodeExchange } from '../propagation/node-exchange.ts'
import type { Admitted } from '../propagation/served.ts'
import { nodeRuntime } from '../runtime/node.ts'
import { createHttpGate, type ProtectOptions } from '../surface/create-gate.ts'
import { type Behind, behind } from '../surface/protect-listener.ts'

export type { Admitted, Behind, ProtectOptions }

/** What `c.get('spillway')` gives. */
export interface SpillwayVariables {
  spillway: Admitted
}

/**
 * Middleware that puts a door in front of all that follows. Handlers find {@link Admitted} with `c.get('spillway')`.
 * Throws SPILLWAY_OPTIONS_INVALID, and on the first request SPILLWAY_PEER_MISSING where Hono does not run on Node's
 * server.
 */
export function spillway(options: ProtectOptions): MiddlewareHandler & Behind {
  const http = createHttpGate('spillway', options, nodeRuntime)
  const middleware = (context: Context, next: Next): Promise<Response | undefined> =>
    new Promise((resolve, reject) => {
      const { incoming, outgoing } = bindingsOf(context)
      http.gate.serve(new NodeExchange(incoming, outgoing, http.refuser), {
        start: (admitted) => {
          context.set('spillway', admitted)
          const rest = next() as Promise<undefined>
          resolve(rest)
          return rest
        },
        notStarted: () => {
          // Hono must answer something, and @hono/node-server's own mark for what was sent already is lost as soon as a
          // middleware in front of this one touches a header.
          deafen(outgoing)
          resolve(new Response(null, { status: outgoing.statusCode }))
        },
        failed: reject,
        failuresAnswered: true,
      })
    })
  return behind(middleware, http)
}

function bindingsOf(context: Context): HttpBindings {
  const bindings = context.env as Partial<HttpBindings> | undefined
  if (bindings?.incoming === undefined || bindings.outgoing === undefined)
    throw new SpillwayError(
      'SPILLWAY_PEER_MISSING',
      'spillway/hono needs Hono on @hono/node-server: serve({ fetch: app.fetch }); c.env has no incoming request',
    )
  return bindings as HttpBindings
}
