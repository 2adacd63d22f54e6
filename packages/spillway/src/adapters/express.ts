// Express 5, one line: `app.use(spillway({ limit: 5 }))`, before every other middleware, so that a refusal comes before
// bodies are parsed and callers authenticated. Express does not let a middleware see the promise of a handler, so the
// permit comes back with the end of the response or of its socket.

import type { NextFunction, Request, Response } from 'express'
import { NodeExchange } from '../propagation/node-exchange.ts'
import type { Admitted } from '../propagation/served.ts'
import { nodeRuntime } from '../runtime/node.ts'
import { createHttpGate, type ProtectOptions } from '../surface/create-gate.ts'
import { type Behind, behind } from '../surface/protect-listener.ts'

export type { Admitted, Behind, ProtectOptions }

declare global {
  namespace Express {
    interface Request {
      /** Whether the caller still waits, and how long; set by `spillway()`. */
      spillway?: Admitted
    }
  }
}

/** Middleware that puts a door in front of all that follows. Throws SPILLWAY_OPTIONS_INVALID. */
export function spillway(
  options: ProtectOptions,
): ((request: Request, response: Response, next: NextFunction) => void) & Behind {
  const http = createHttpGate('spillway', options, nodeRuntime)
  const middleware = (request: Request, response: Response, next: NextFunction): void => {
    // Mounted on a path, Express takes it off request.url; health paths are whole paths.
    http.gate.serve(new NodeExchange(request, response, http.refuser, request.originalUrl), {
      start: (admitted) => {
        request.spillway = admitted
        next()
      },
      failed: next,
      failuresAnswered: true,
    })
  }
  return behind(middleware, http)
}
