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
//   upgrade                    answer on the bare socket, say that it ends, and close when the other end has closed too
//
// While it reads on, the response has gone out whole but is not ended: Node closes the socket at the end of a response
// that asks for it, and keeps it as long as there is none.

import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Http2ServerResponse } from 'node:http2'
import type { Duplex } from 'node:stream'
import type { Rejection } from '../core/decision.ts'
import type { Runtime } from '../core/runtime.ts'
import { destroyOrphan } from './http2-stream.ts'
import { isHttp2, type NodeRequest, type NodeResponse } from './node-exchange.ts'
import { refusalBody, refusalHeaders, type ShedLayer, statusOf } from './status.ts'

// A body up to this size is read and thrown away, which costs less than a new connection. Callers that read no answer
// before they have sent everything get it only up to here.
const DRAIN_BYTES_MAX = 256 * 1024
// How long a caller has to read its answer and stop. Longer holds sockets for those who never will.
const DRAIN_MS_MAX = 2000
// Refused uploads and upgrades that are read on at once. Above it the connection is closed at once: memory before
// politeness.
const DRAINING_MAX = 256

const NO_ERROR = 0

export class Refuser {
  readonly #layer: ShedLayer
  readonly #closing: () => boolean
  readonly runtime: Runtime
  #draining = 0

  /** `closing` tells whether the process drains, so that no connection is kept. */
  constructor(layer: ShedLayer, closing: () => boolean, runtime: Runtime) {
    this.#layer = layer
    this.#closing = closing
    this.runtime = runtime
  }

  /** Refused callers that still send, or have not closed yet. */
  get draining(): number {
    return this.#draining
  }

  refuse(request: NodeRequest, response: NodeResponse, rejection: Rejection): void {
    // Someone else has answered while it waited.
    if (response.headersSent) return
    const body = refusalBody(rejection, this.#layer)
    const status = statusOf[rejection.reason].http
    const headers = refusalHeaders(rejection, body, this.#layer)
    // The answer to a HEAD has the length of a body and none: Node may be told to throw when it is given one.
    const sent = request.method === 'HEAD' ? '' : body
    if (isHttp2(response)) {
      refuseHttp2(response, status, headers, sent, this.runtime)
      return
    }
    if (this.#closing()) headers.connection = 'close'
    const bytes = announcedBytes(request.rawHeaders)
    if (bytes === 0 || request.complete) {
      response.writeHead(status, headers)
      response.end(sent)
      return
    }
    const full = this.#draining >= DRAINING_MAX
    // A chunked body has no size yet: the connection is kept if it turns out to be small.
    if (full || (bytes > DRAIN_BYTES_MAX && bytes < Number.POSITIVE_INFINITY)) headers.connection = 'close'
    response.writeHead(status, headers)
    if (full) {
      response.end(sent)
      return
    }
    if (sent === '') response.flushHeaders()
    else response.write(sent)
    this.#drain(request as IncomingMessage, response)
  }

  /** Refuses an upgrade on its socket. */
  refuseUpgrade(socket: Duplex, rejection: Rejection): void {
    const status = statusOf[rejection.reason].http
    const body = refusalBody(rejection, this.#layer)
    const headers = Object.entries(refusalHeaders(rejection, body, this.#layer))
    const head = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')
    const full = this.#draining >= DRAINING_MAX
    socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nconnection: close\r\n${head}\r\n${body}`, () => {
      if (full) socket.destroy()
    })
    if (full || socket.destroyed) return
    this.#draining++
    const timer = this.runtime.setTimer(() => socket.destroy(), DRAIN_MS_MAX, true)
    socket.once('close', () => {
      this.#draining--
      this.runtime.clearTimer(timer)
    })
    // Node keeps the half that is still open, and nobody but us would notice its end.
    socket.once('end', () => socket.destroy())
    socket.resume()
  }

  // Reads on and throws away until the body ends, the caller goes, or a bound is reached; then ends the response.
  #drain(request: IncomingMessage, response: ServerResponse): void {
    this.#draining++
    let bytes = 0
    // As it is now: an adapter may take the response from its framework by replacing its methods.
    const end = response.end as (whenSent: () => void) => void
    const onData = (chunk: Buffer): void => {
      bytes += chunk.length
      if (bytes > DRAIN_BYTES_MAX) request.pause()
    }
    const over = (): void => {
      this.runtime.clearTimer(timer)
      request.removeListener('data', onData)
      request.removeListener('end', over)
      response.removeListener('close', over)
      this.#draining--
      // What is left unread cannot be skipped, so this connection cannot serve another request.
      if (!request.complete) response.shouldKeepAlive = false
      end.call(response, () => {
        if (!request.complete) request.socket.destroy()
      })
    }
    const timer = this.runtime.setTimer(over, DRAIN_MS_MAX, true)
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
  runtime: Runtime,
): void {
  const { stream } = response
  if (stream.destroyed || stream.closed) return
  // Tells a caller that is still sending to stop, without calling the answer an error.
  if (!stream.endAfterHeaders) stream.once('finish', () => stream.close(NO_ERROR))
  destroyOrphan(stream, runtime)
  response.writeHead(status, headers)
  if (body === '') response.end()
  else response.end(body)
}

// What body a request announces (RFC 9112 §6.3): none, so many bytes, or Infinity when it is chunked. From the raw
// headers, since building the parsed ones would cost more than the refusal.
function announcedBytes(rawHeaders: readonly string[]): number {
  let bytes = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const { length } = rawHeaders[index] as string
    if (length !== 14 && length !== 17) continue
    const name = (rawHeaders[index] as string).toLowerCase()
    if (name === 'content-length') bytes = Number(rawHeaders[index + 1])
    else if (name === 'transfer-encoding') return Number.POSITIVE_INFINITY
  }
  return bytes
}
