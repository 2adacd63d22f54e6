// Koa 3, one line: `app.use(spillway({ limit: 5 }))`, before every other middleware.

import type { Context, Next } from 'koa'
import { NodeExchange } from '../propagation/node-exchange.ts'
import type { Admitted } from '../propagation/served.ts'
import { nodeRuntime } from '../runtime/node.ts'
import { createHttpGate, type ProtectOptions } from '../surface/create-gate.ts'
import { type Behind, behind } from '../surface/protect-listener.ts'

export type { Admitted, Behind, ProtectOptions }

/**
 * Middleware that puts a door in front of all that follows. Handlers find {@link Admitted} in `ctx.state.spillway`.
 * Throws SPILLWAY_OPTIONS_INVALID.
 */
export function spillway(options: ProtectOptions): ((context: Context, next: Next) => Promise<void>) & Behind {
  const http = createHttpGate('spillway', options, nodeRuntime)
  const middleware = (context: Context, next: Next): Promise<void> =>
    new Promise((resolve, reject) => {
      http.gate.serve(new NodeExchange(context.req, context.res, http.refuser, context.originalUrl), {
        start: (admitted) => {
          context.state.spillway = admitted
          const rest = next()
          resolve(rest)
          return rest
        },
        notStarted: () => {
          // The refusal has gone out on the raw response; Koa must not answer as well.
          context.respond = false
          resolve()
        },
        failed: reject,
        failuresAnswered: true,
      })
    })
  return behind(middleware, http)
}
