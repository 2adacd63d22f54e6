// node:http, one line: `createServer(protect(handler, { limit: 5 }))`. Upgrades do not pass the request listener, so they
// have a door of their own making or share one: `server.on('upgrade', protectUpgrade(handler, { door }))`.

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Admitted } from '../propagation/served.ts'
import { UpgradeExchange } from '../propagation/upgrade-exchange.ts'
import { nodeRuntime } from '../runtime/node.ts'
import { createHttpGate, type ProtectOptions } from '../surface/create-gate.ts'
import {
  type ClosableServer,
  prepareShutdown,
  type ShutdownOptions,
  type ShutdownResult,
} from '../surface/prepare-shutdown.ts'
import {
  type Behind,
  behind,
  type Handler,
  type ProtectedListener,
  protectListener,
} from '../surface/protect-listener.ts'

export type { Admitted, Behind, ClosableServer, ProtectOptions, ShutdownOptions, ShutdownResult }
export { prepareShutdown }

/**
 * Puts a door in front of a request listener. Without room a request waits a bounded time or is refused, with 503 (429
 * for a quota), its reason and its numbers, before its body is read. What the handler throws goes where it would have
 * gone without the door. Throws SPILLWAY_OPTIONS_INVALID.
 */
export function protect(
  handler: Handler<IncomingMessage, ServerResponse>,
  options: ProtectOptions,
): ProtectedListener<IncomingMessage, ServerResponse> {
  return protectListener('protect', handler, options)
}

/** An upgrade listener, as of `server.on('upgrade', …)`. */
export type UpgradeHandler = (request: IncomingMessage, socket: Duplex, head: Buffer, admitted: Admitted) => unknown

/**
 * Puts a door in front of upgrades. The permit comes back when the handler has returned (or its promise has ended): the
 * handshake is the work; the open socket counts as a stream until it closes.
 */
export function protectUpgrade(
  handler: UpgradeHandler,
  options: ProtectOptions,
): ((request: IncomingMessage, socket: Duplex, head: Buffer) => void) & Behind {
  const http = createHttpGate('protectUpgrade', options, nodeRuntime)
  const listener = (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    const exchange = new UpgradeExchange(request, socket, http.refuser)
    http.gate.serve(exchange, {
      start: (admitted) => exchange.upgrade(() => handler(request, socket, head, admitted)),
      failed: (error) => http.gate.throwUncaught(error),
      failuresAnswered: false,
    })
  }
  return behind(listener, http)
}
