// An HTTP/1 upgrade as an exchange: there is no response object, only the socket.

import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Rejection } from '../core/decision.ts'
import type { ResponseListener, ServedExchange } from './exchange.ts'
import { pathOf } from './path.ts'
import type { Refuser } from './refuser.ts'
import { isThenable } from './thenable.ts'

export class UpgradeExchange implements ServedExchange {
  readonly method = 'UPGRADE'
  readonly #request: IncomingMessage
  readonly #socket: Duplex
  readonly #refuser: Refuser
  #listener: ResponseListener | undefined
  #begun = false
  #upgraded = false

  constructor(request: IncomingMessage, socket: Duplex, refuser: Refuser) {
    this.#request = request
    this.#socket = socket
    this.#refuser = refuser
    // Node leaves an upgraded socket without an error listener, and a caller who leaves the queue must not end the process.
    socket.on('error', ignoreError)
  }

  get url(): string {
    return this.#request.url ?? ''
  }

  get path(): string {
    return pathOf(this.url)
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

  get over(): boolean {
    return this.#socket.destroyed
  }

  /** Who writes to an upgraded socket is the handler's business. */
  readonly blocked = false

  header(name: string): string | undefined {
    const value = this.#request.headers[name]
    return Array.isArray(value) ? value.join(', ') : value
  }

  watch(listener: ResponseListener): void {
    this.#listener = listener
    const socket = this.#socket
    const onClose = (): void => listener.closed(this.#upgraded, 101)
    if (socket.destroyed) onClose()
    else socket.once('close', onClose)
    if (this.#upgraded) listener.becameStream()
    // A caller who closes its end while it waits has left; of a socket nobody reads Node tells only this much.
    else if (!this.#begun) socket.once('end', this.#onEnd)
  }

  watchHead(): void {
    // It has no head of its own: see upgrade().
  }

  lastOfConnection(): void {
    // No other request comes on an upgraded socket.
  }

  /** Runs the handshake. When it has ended well, the socket is a stream. */
  upgrade(handshake: () => unknown): unknown {
    // From here on errors and ends of the socket belong to the handler, as they do without us.
    this.#begun = true
    this.#socket.removeListener('error', ignoreError)
    this.#socket.removeListener('end', this.#onEnd)
    const result = handshake()
    if (isThenable(result)) return result.then(() => this.#done())
    this.#done()
    return result
  }

  refuse(rejection: Rejection): void {
    this.#socket.removeListener('end', this.#onEnd)
    this.#refuser.refuseUpgrade(this.#socket, rejection)
  }

  readonly #onEnd = (): void => {
    this.#socket.destroy()
  }

  #done(): void {
    this.#upgraded = true
    this.#listener?.becameStream()
  }
}

function ignoreError(): void {}
