// The universal shape of a served call. An adapter translates its framework's request and response into this and stops:
// policy, status codes, headers and the life of a permit are decided once, behind it.

import type { Rejection } from '../core/decision.ts'

/** A request that is being served and its response, as the gate sees them. */
export interface ServedExchange {
  readonly method: string
  /** The request target as received, query and all; '' when there is none. */
  readonly url: string
  /** Path without the query. */
  readonly path: string
  /** Name, value, name, value, … as received. */
  readonly rawHeaders: readonly string[]
  /** Address of the socket's other end; undefined when there is none. */
  readonly peerAddress: string | undefined

  /** Whether the head of the response has gone out. */
  readonly headSent: boolean
  /** Whether nothing more can be sent: the response is complete, whoever gave it, or its connection is lost. */
  readonly over: boolean
  /** Whether the response waits for its caller to read: its buffers are full. */
  readonly blocked: boolean

  /** One header by its lower-case name, lines joined by ", "; undefined when it is not there. */
  header(name: string): string | undefined

  /** Calls `listener.closed`, now if the response is over already. Before the work is started, or right after. */
  watch(listener: ResponseListener): void

  /** Calls `listener.headSent`, now if the head has gone out. For responses that are not over when their handler is. */
  watchHead(listener: ResponseListener): void

  /** The connection shall end with this response. */
  lastOfConnection(): void

  /** Answers with the refusal, before any body is read, so that it reaches a caller who is still sending. */
  refuse(rejection: Rejection): void
}

/** Learns what becomes of a response. */
export interface ResponseListener {
  /** The response head has gone out. `contentType` as the handler set it, lower case, or ''. */
  headSent(contentType: string): void
  /** The connection has become a stream by other means, such as an upgrade. */
  becameStream(): void
  /**
   * Nothing more will be sent: `complete` when the whole response went out, false when the caller had gone or the
   * connection was lost before. Calls after the first change nothing.
   */
  closed(complete: boolean, status: number): void
  /** Whether the process drains, so that the connection should not be kept alive. */
  readonly closing: boolean
}
