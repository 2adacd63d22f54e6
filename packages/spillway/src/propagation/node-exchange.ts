// Node's request and response pair, HTTP/1 or HTTP/2, as an exchange. Every Node framework has this pair underneath, so
// what is hard about it stands here once: noticing every way a response can end, at next to no cost.

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2'
import type { Rejection } from '../core/decision.ts'
import type { Runtime } from '../core/runtime.ts'
import type { ResponseListener, ServedExchange } from './exchange.ts'
import { streamComplete, whenStreamOver } from './http2-stream.ts'
import { pathOf } from './path.ts'
import type { Refuser } from './refuser.ts'

export type NodeRequest = IncomingMessage | Http2ServerRequest
export type NodeResponse = ServerResponse | Http2ServerResponse

export class NodeExchange implements ServedExchange {
  protected readonly request: NodeRequest
  protected readonly response: NodeResponse
  readonly url: string
  readonly #refuser: Refuser

  /** `url` is the request target as it was received, for frameworks that rewrite the request's own. */
  constructor(request: NodeRequest, response: NodeResponse, refuser: Refuser, url = request.url ?? '') {
    this.request = request
    this.response = response
    this.#refuser = refuser
    this.url = url
  }

  get method(): string {
    return this.request.method ?? ''
  }

  get path(): string {
    return pathOf(this.url)
  }

  get rawHeaders(): readonly string[] {
    return this.request.rawHeaders
  }

  get peerAddress(): string | undefined {
    const { response } = this
    // The socket of a compatibility request is a proxy that throws once the session is gone.
    if (isHttp2(response)) return response.stream.session?.socket?.remoteAddress
    return this.request.socket?.remoteAddress
  }

  get headSent(): boolean {
    return this.response.headersSent
  }

  get over(): boolean {
    const { request, response } = this
    if (isHttp2(response)) return response.writableEnded || response.stream.destroyed
    // Of a response that waits behind another (pipelining) only the request knows the socket.
    return response.writableEnded || request.socket.destroyed
  }

  get blocked(): boolean {
    const { response } = this
    return isHttp2(response) ? response.stream.writableNeedDrain : response.writableNeedDrain
  }

  header(name: string): string | undefined {
    const value = this.request.headers[name]
    return Array.isArray(value) ? value.join(', ') : value
  }

  refuse(rejection: Rejection): void {
    this.#refuser.refuse(this.request, this.response, rejection)
  }

  lastOfConnection(): void {
    // An HTTP/2 connection is told by a GOAWAY of its session.
    if (!isHttp2(this.response)) this.response.shouldKeepAlive = false
  }

  watch(listener: ResponseListener): void {
    if (isHttp2(this.response)) watchHttp2(this.response, listener, this.#refuser.runtime)
    else watchHttp1(this.response, listener)
  }

  watchHead(listener: ResponseListener): void {
    const { response } = this
    if (response.headersSent) listener.headSent(sentContentType(response))
    else watchHead(response, listener)
  }
}

// 'close' follows 'finish' when all went out, and comes alone when the socket was lost (case C01), also for a response
// that waits for its turn behind another (pipelining).
function watchHttp1(response: ServerResponse, listener: ResponseListener): void {
  const onClose = (): void => {
    // `writableFinished` alone is also true of what was still in the buffers of a socket that was lost: then the
    // response keeps its socket, which it loses when it finishes, or (Node 22) the socket has failed.
    const { socket } = response.req
    const complete = response.writableFinished && response.socket?.destroyed !== true && !socket.errored
    listener.closed(complete, response.statusCode)
  }
  if (isDelivered(response)) listener.closed(true, response.statusCode)
  else if (response.closed) onClose()
  else {
    response.on('close', onClose)
    // Node 22 tells a response that waits behind another nothing of the loss of its socket; its request is told.
    if (response.socket === null) response.req.once('close', () => response.req.socket.destroyed && onClose())
  }
}

// Whether the kernel has all of it: no event will tell more. A response that waits behind another has no socket yet.
function isDelivered(response: ServerResponse): boolean {
  return response.writableEnded && response.writableLength === 0 && response.socket?.destroyed === false
}

function watchHttp2(response: Http2ServerResponse, listener: ResponseListener, runtime: Runtime): void {
  const { stream } = response
  whenStreamOver(stream, () => listener.closed(streamComplete(stream), response.statusCode), runtime)
}

// Sees the response head pass: every way of sending one goes through writeHead.
function watchHead(response: NodeResponse, listener: ResponseListener): void {
  const writeHead = response.writeHead as (...args: unknown[]) => NodeResponse
  const watched = function (this: NodeResponse, ...args: unknown[]): NodeResponse {
    if (listener.closing && !isHttp2(response)) response.shouldKeepAlive = false
    const result = writeHead.apply(this, args)
    listener.headSent(sentContentType(response))
    return result
  }
  response.writeHead = watched as typeof response.writeHead
}

const CONTENT_TYPE = /\r\ncontent-type: ?([^\r]*)/i

// Of a response whose head has gone out. Headers given to writeHead are not kept by HTTP/1, whatever their form; what it
// keeps is the head itself.
function sentContentType(response: NodeResponse): string {
  if (isHttp2(response)) return String(response.getHeader('content-type') ?? '').toLowerCase()
  const { chunkedEncoding, _last: last, _header: head } = response as KeptByNode
  // A response that said its length is no stream, and there is no need to search it: the search costs more than the rest.
  if (!chunkedEncoding && last === false) return ''
  return typeof head === 'string' ? (CONTENT_TYPE.exec(head)?.[1] ?? '').toLowerCase() : ''
}

// What Node's types do not tell of, and many a library reads: whether the connection ends with this response, and its head.
type KeptByNode = ServerResponse & { readonly _last?: unknown; readonly _header?: unknown }

/**
 * From here on nobody is heard who writes to this response in the usual way: it has been answered, or its caller has
 * gone, and a framework that knows nothing of that answers as well.
 */
export function deafen(response: NodeResponse): void {
  const ignored = (): NodeResponse => response
  Object.assign(response, { writeHead: ignored, end: ignored, write: () => true })
}

/** Whether this is a response of node:http2; with `allowHTTP1` the same server makes both kinds. */
export function isHttp2(response: NodeResponse): response is Http2ServerResponse {
  return 'stream' in response
}
