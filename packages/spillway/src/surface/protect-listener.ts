// A request listener behind a door: what node:http and node:http2 have in common, since the compatibility API of HTTP/2
// offers the same pair of request and response.

import type { Door } from '../core/admission-async.ts'
import type { GateSnapshot } from '../propagation/gate.ts'
import { NodeExchange, type NodeRequest, type NodeResponse } from '../propagation/node-exchange.ts'
import type { Admitted } from '../propagation/served.ts'
import { nodeRuntime } from '../runtime/node.ts'
import { createHttpGate, type HttpGate, type ProtectOptions } from './create-gate.ts'

/** A request listener; the third argument tells it of its caller and its deadline. */
export type Handler<Req, Res> = (request: Req, response: Res, admitted: Admitted) => unknown

/** What every adapter's product carries: the door, and what is counted beside the door's accounts. */
export interface Behind {
  /** The door, for its snapshot, its limit and its drain. */
  readonly door: Door
  /** Streams, health checks, headers that were not used. */
  gateSnapshot(): GateSnapshot
}

export type ProtectedListener<Req, Res> = ((request: Req, response: Res) => void) & Behind

export function protectListener<Req extends NodeRequest, Res extends NodeResponse>(
  owner: string,
  handler: Handler<Req, Res>,
  options: ProtectOptions,
): ProtectedListener<Req, Res> {
  const http = createHttpGate(owner, options, nodeRuntime)
  const listener = (request: Req, response: Res): void => {
    http.gate.serve(new NodeExchange(request, response, http.refuser), {
      start: (admitted) => passOnRejection(handler(request, response, admitted)),
      failed: (error) => http.gate.throwUncaught(error),
    })
  }
  return behind(listener, http)
}

/** The same function, carrying its door. */
export function behind<F extends object>(target: F, http: HttpGate): F & Behind {
  return Object.assign(target, { door: http.gate.door, gateSnapshot: () => http.gate.snapshot() })
}

/**
 * The door looks at a handler's promise to know when it has ended, which would make Node take its rejection for handled.
 * This leaves it as unhandled as it was.
 */
export function passOnRejection(result: unknown): unknown {
  if (result instanceof Promise) void result.then(undefined, rethrow)
  return result
}

function rethrow(error: unknown): never {
  throw error
}
