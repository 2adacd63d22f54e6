// A request listener behind a door: what node:http and node:http2 have in common, since the compatibility API of HTTP/2
// offers the same pair of request and response.

import type { Door } from '../core/admission-async.ts'
import type { Gate, GateSnapshot } from '../propagation/gate.ts'
import { NodeExchange, type NodeRequest, type NodeResponse } from '../propagation/node-exchange.ts'
import type { Admitted, Work } from '../propagation/served.ts'
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
  /** Tells open streams and upgraded sockets to end: aborts the signal of each. Part of a shutdown. */
  goAway(): void
}

export type ProtectedListener<Req, Res> = ((request: Req, response: Res) => void) & Behind

export function protectListener<Req extends NodeRequest, Res extends NodeResponse>(
  owner: string,
  handler: Handler<Req, Res>,
  options: ProtectOptions,
): ProtectedListener<Req, Res> {
  const http = createHttpGate(owner, options, nodeRuntime)
  const listener = (request: Req, response: Res): void => {
    const call = new Call(request, response, http, handler)
    http.gate.serve(call, call)
  }
  return behind(listener, http)
}

// A request and what is done about it, in one object: there is one for every request.
class Call<Req extends NodeRequest, Res extends NodeResponse> extends NodeExchange implements Work {
  readonly failuresAnswered = false
  readonly #gate: Gate
  readonly #handler: Handler<Req, Res>

  constructor(request: Req, response: Res, http: HttpGate, handler: Handler<Req, Res>) {
    super(request, response, http.refuser)
    this.#gate = http.gate
    this.#handler = handler
  }

  start(admitted: Admitted): unknown {
    return this.#handler(this.request as Req, this.response as Res, admitted)
  }

  failed(error: unknown): void {
    this.#gate.throwUncaught(error)
  }
}

/** The same function, carrying its door. */
export function behind<F extends object>(target: F, http: HttpGate): F & Behind {
  return Object.assign(target, behindOf(http))
}

export function behindOf({ gate, refuser }: HttpGate): Behind {
  return { door: gate.door, gateSnapshot: () => gate.snapshot(refuser.draining), goAway: () => gate.goAway() }
}
