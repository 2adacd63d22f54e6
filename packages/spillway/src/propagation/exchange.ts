// The universal shape of a served call. An adapter translates its framework's request and response into this and stops:
// policy, status codes, headers and the life of a permit are decided once, behind it.

import type { Rejection } from '../core/decision.ts'

/** A request that is being served and its response, as the gate sees them. */
export interface ServedExchange {
  readonly method: string
  /** Path without the query. */
  readonly path: string
  /** Name, value, name, value, … as received. */
  readonly rawHeaders: readonly string[]
  /** Address of the socket's other end; undefined when there is none. */
  readonly peerAddress: string | undefined

  /** Whether the head of the response has gone out. */
  readonly headSent: boolean

  /** One header by its lower-case name, lines joined by ", "; undefined when it is not there. */
  header(name: string): string | undefined

  /** Calls `listener` as the response goes on. Called once, before anything else happens. */
  watch(listener: ResponseListener): void

  /** Answers with the refusal, before any body is read, so that it reaches a caller who is still sending. */
  refuse(rejection: Rejection): void
}

/** Learns what becomes of a response. */
export interface ResponseListener {
  /** The response head is about to be sent. `contentType` as the handler set it, lower case, or ''. */
  headSent(contentType: string): void
  /** The connection has become a stream by other means, such as an upgrade. */
  becameStream(): void
  /**
   * Nothing more will be sent, and this is called once: `complete` when the whole response went out, false when the
   * caller had gone or the connection was lost before.
   */
  closed(complete: boolean, status: number): void
  /** Whether the process drains, so that the connection should not be kept alive. */
  readonly closing: boolean
}
