// An HTTP/1 upgrade as an exchange: there is no response object, only the socket.

import { type IncomingMessage, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Rejection } from '../core/decision.ts'
import type { ResponseListener, ServedExchange } from './exchange.ts'
import { pathOf } from './path.ts'
import { refusalBody, refusalHeaders, type ShedLayer, statusOf } from './status.ts'

export class UpgradeExchange implements ServedExchange {
  readonly method = 'UPGRADE'
  readonly #request: IncomingMessage
  readonly #socket: Duplex
  readonly #layer: ShedLayer
  #listener: ResponseListener | undefined
  #upgraded = false

  constructor(request: IncomingMessage, socket: Duplex, layer: ShedLayer) {
    this.#request = request
    this.#socket = socket
    this.#layer = layer
    // Node leaves an upgraded socket without an error listener, and a caller who leaves the queue must not end the process.
    socket.on('error', ignoreError)
  }

  get path(): string {
    return pathOf(this.#request.url)
  }

  get rawHeaders(): readonly string[] {
    return this.#request.rawHeaders
  }

  get peerAddress(): string | undefined {
    return this.#request.socket.remoteAddress
  }

  get headSent(): boolean {
    return this.#upgraded
  }

  header(name: string): string | undefined {
    const value = this.#request.headers[name]
    return Array.isArray(value) ? value.join(', ') : value
  }

  watch(listener: ResponseListener): void {
    this.#listener = listener
    this.#socket.once('close', () => listener.closed(this.#upgraded, 101))
  }

  /** Runs the handshake. When it has ended well, the socket is a stream. */
  upgrade(handshake: () => unknown): unknown {
    // From here on errors of the socket belong to the handler, as they do without us.
    this.#socket.removeListener('error', ignoreError)
    const result = handshake()
    if (result instanceof Promise) return result.then(() => this.#done())
    this.#done()
    return result
  }

  refuse(rejection: Rejection): void {
    const status = statusOf[rejection.reason].http
    const body = refusalBody(rejection, this.#layer)
    const headers = Object.entries(refusalHeaders(rejection, body, this.#layer))
    const head = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')
    this.#socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nconnection: close\r\n${head}\r\n${body}`)
  }

  #done(): void {
    this.#upgraded = true
    this.#listener?.becameStream()
  }
}

function ignoreError(): void {}
