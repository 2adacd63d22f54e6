// Sends refusals over Node's responses. Refusing a caller who is still uploading is the hard part: answer and close, and
// the unread data resets the connection, which often takes the answer with it (case C140); read it all, and a refusal
// costs as much as the upload. So:
//
//   no body                    answer, keep the connection
//   body                       answer, keep reading up to a bound of bytes and time, and end the response when the body
//                              has ended: the connection lives on
//   bound of bytes reached     stop reading, so that TCP stops the sender, and give it time to read the answer
//   bound of time reached      end the response and close
//   HTTP/2                     answer, then RST_STREAM with NO_ERROR (RFC 9113 §8.1): nothing more is sent
//
// While it reads on, the response has gone out whole but is not ended: Node closes the socket at the end of a response
// that asks for it, and keeps it as long as there is none.

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Http2ServerResponse } from 'node:http2'
import type { Rejection } from '../core/decision.ts'
import type { Runtime } from '../core/runtime.ts'
import { isHttp2, type NodeRequest, type NodeResponse } from './node-exchange.ts'
import { refusalBody, refusalHeaders, type ShedLayer, statusOf } from './status.ts'

// A body up to this size is read and thrown away, which costs less than a new connection. Callers that read no answer
// before they have sent everything get it only up to here.
const DRAIN_BYTES_MAX = 256 * 1024
// How long a caller has to read its answer and stop. Longer holds sockets for those who never will.
const DRAIN_MS_MAX = 2000
// Refused uploads that are read on at once. Above it the connection is closed at once: memory before politeness.
const DRAINING_MAX = 256

const NO_ERROR = 0

export class Refuser {
  readonly #layer: ShedLayer
  readonly #closing: () => boolean
  readonly #runtime: Runtime
  #draining = 0

  /** `closing` tells whether the process drains, so that no connection is kept. */
  constructor(layer: ShedLayer, closing: () => boolean, runtime: Runtime) {
    this.#layer = layer
    this.#closing = closing
    this.#runtime = runtime
  }

  refuse(request: NodeRequest, response: NodeResponse, rejection: Rejection): void {
    const body = refusalBody(rejection, this.#layer)
    const status = statusOf[rejection.reason].http
    const headers = refusalHeaders(rejection, body, this.#layer)
    if (isHttp2(response)) {
      refuseHttp2(response, status, headers, body)
      return
    }
    if (this.#closing()) headers.connection = 'close'
    const bytes = announcedBytes(request.rawHeaders)
    if (bytes === 0 || request.complete) {
      response.writeHead(status, headers)
      response.end(body)
      return
    }
    const full = this.#draining >= DRAINING_MAX
    // A chunked body has no size yet: the connection is kept if it turns out to be small.
    if (full || (bytes > DRAIN_BYTES_MAX && bytes < Number.POSITIVE_INFINITY)) headers.connection = 'close'
    response.writeHead(status, headers)
    if (full) response.end(body)
    else {
      response.write(body)
      this.#drain(request as IncomingMessage, response)
    }
  }

  // Reads on and throws away until the body ends, the caller goes, or a bound is reached; then ends the response.
  #drain(request: IncomingMessage, response: ServerResponse): void {
    this.#draining++
    let bytes = 0
    const onData = (chunk: Buffer): void => {
      bytes += chunk.length
      if (bytes > DRAIN_BYTES_MAX) request.pause()
    }
    const over = (): void => {
      this.#runtime.clearTimer(timer)
      request.removeListener('data', onData)
      request.removeListener('end', over)
      response.removeListener('close', over)
      this.#draining--
      // What is left unread cannot be skipped, so this connection cannot serve another request.
      if (!request.complete) response.shouldKeepAlive = false
      response.end(() => {
        if (!request.complete) request.socket.destroy()
      })
    }
    const timer = this.#runtime.setTimer(over, DRAIN_MS_MAX, true)
    request.on('data', onData)
    request.once('end', over)
    response.once('close', over)
  }
}

function refuseHttp2(
  response: Http2ServerResponse,
  status: number,
  headers: Record<string, string | number>,
  body: string,
): void {
  response.writeHead(status, headers)
  response.end(body, () => {
    // Tells a caller that is still sending to stop, without calling the answer an error.
    if (!response.stream.destroyed) response.stream.close(NO_ERROR)
  })
}

// What body a request announces (RFC 9112 §6.3): none, so many bytes, or Infinity when it is chunked. From the raw
// headers, since building the parsed ones would cost more than the refusal.
function announcedBytes(rawHeaders: readonly string[]): number {
  let bytes = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] as string
    if (name.length === 14 && name.toLowerCase() === 'content-length') bytes = Number(rawHeaders[index + 1])
    else if (name.length === 17 && name.toLowerCase() === 'transfer-encoding') return Number.POSITIVE_INFINITY
  }
  return bytes
}
