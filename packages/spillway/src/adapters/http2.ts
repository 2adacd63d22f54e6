// node:http2, one line: `createSecureServer(tls, protect(handler, { limit: 5 }))`. Works on its compatibility API, for
// HTTP/2 and, with `allowHTTP1`, for HTTP/1 as well.

import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2'
import type { Admitted } from '../propagation/served.ts'
import type { ProtectOptions } from '../surface/create-gate.ts'
import {
  type ClosableServer,
  prepareShutdown,
  type ShutdownOptions,
  type ShutdownResult,
} from '../surface/prepare-shutdown.ts'
import { type Behind, type Handler, type ProtectedListener, protectListener } from '../surface/protect-listener.ts'

export type { Admitted, Behind, ClosableServer, ProtectOptions, ShutdownOptions, ShutdownResult }
export { prepareShutdown }

/** Puts a door in front of a request listener of node:http2. A reset stream and a lost session give the permit back. */
export function protect(
  handler: Handler<Http2ServerRequest, Http2ServerResponse>,
  options: ProtectOptions,
): ProtectedListener<Http2ServerRequest, Http2ServerResponse> {
  return protectListener('protect', handler, options)
}
