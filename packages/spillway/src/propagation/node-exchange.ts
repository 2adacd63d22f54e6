// Node's request and response pair, HTTP/1 or HTTP/2, as an exchange. Every Node framework has this pair underneath, so
// what is hard about it stands here once: noticing every way a response can end, and refusing a caller who is still
// sending without losing the answer.

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2'
import type { Rejection } from '../core/decision.ts'
import type { ResponseListener, ServedExchange } from './exchange.ts'
import { pathOf } from './path.ts'
import type { Refuser } from './refuser.ts'

export type NodeRequest = IncomingMessage | Http2ServerRequest
export type NodeResponse = ServerResponse | Http2ServerResponse

export class NodeExchange implements ServedExchange {
  readonly request: NodeRequest
  readonly response: NodeResponse
  readonly #refuser: Refuser

  constructor(request: NodeRequest, response: NodeResponse, refuser: Refuser) {
    this.request = request
    this.response = response
    this.#refuser = refuser
  }

  get method(): string {
    return this.request.method ?? ''
  }

  get path(): string {
    return pathOf(this.request.url)
  }

  get rawHeaders(): readonly string[] {
    return this.request.rawHeaders
  }

  get peerAddress(): string | undefined {
    return this.request.socket?.remoteAddress
  }

  get headSent(): boolean {
    return this.response.headersSent
  }

  header(name: string): string | undefined {
    const value = this.request.headers[name]
    return Array.isArray(value) ? value.join(', ') : value
  }

  refuse(rejection: Rejection): void {
    this.#refuser.refuse(this.request, this.response, rejection)
  }

  watch(listener: ResponseListener): void {
    watchHead(this.response, listener)
    if (isHttp2(this.response)) watchHttp2(this.response, listener)
    else watchHttp1(this.request as IncomingMessage, this.response, listener)
  }
}

function watchHttp1(request: IncomingMessage, response: ServerResponse, listener: ResponseListener): void {
  // 'close' follows 'finish' when all went out, and comes alone when the socket was lost (case C01).
  const onClose = (): void => listener.closed(response.writableFinished, response.statusCode)
  response.once('close', onClose)
  if (response.socket !== null) return
  // Pipelined behind another response, it has no socket yet and would not hear of its loss.
  const { socket } = request
  socket.once('close', onClose)
  response.once('close', () => socket.removeListener('close', onClose))
}

function watchHttp2(response: Http2ServerResponse, listener: ResponseListener): void {
  // The stream, not the compatibility response, which does not always report a reset (case C14).
  const { stream } = response
  const onClose = (): void => {
    const complete = response.writableEnded && !stream.aborted && stream.rstCode === 0
    listener.closed(complete, response.statusCode)
  }
  if (stream === undefined || stream.closed || stream.destroyed) listener.closed(false, 0)
  else stream.once('close', onClose)
}

// Sees the response head pass: every way of sending one goes through writeHead.
function watchHead(response: NodeResponse, listener: ResponseListener): void {
  const writeHead = response.writeHead as (...args: unknown[]) => NodeResponse
  const watched = (...args: unknown[]): NodeResponse => {
    const contentType = contentTypeOf(response, args)
    if (listener.closing && !isHttp2(response)) response.shouldKeepAlive = false
    const result = writeHead.apply(response, args)
    listener.headSent(contentType)
    return result
  }
  response.writeHead = watched as typeof response.writeHead
}

// Headers given to writeHead win over those set before; Node takes an object, a flat array or an array of pairs.
function contentTypeOf(response: NodeResponse, args: readonly unknown[]): string {
  const given = args.length > 1 ? args[args.length - 1] : undefined
  const value = typeof given === 'object' && given !== null ? findContentType(given) : undefined
  return String(value ?? response.getHeader('content-type') ?? '').toLowerCase()
}

function findContentType(given: object): unknown {
  const pairs = !Array.isArray(given)
    ? Object.entries(given)
    : Array.isArray(given[0])
      ? (given as [string, unknown][])
      : given.flatMap((name, index) => (index % 2 === 0 ? [[name, given[index + 1]] as [string, unknown]] : []))
  return pairs.find(([name]) => String(name).toLowerCase() === 'content-type')?.[1]
}

export function isHttp2(response: NodeResponse): response is Http2ServerResponse {
  return 'stream' in response
}
