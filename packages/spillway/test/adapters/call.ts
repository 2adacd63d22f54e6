// The handler of a test, in a form that knows no framework, and what it may answer. The harness says it in the words of
// each framework, so that every check runs over each framework's own way of answering.

import type { NodeRequest, NodeResponse } from '../../src/propagation/node-exchange.ts'
import type { Admitted } from '../../src/propagation/served.ts'

/** One call as a handler sees it. */
export interface Call {
  readonly method: string
  readonly url: string
  readonly admitted: Admitted
  /** Node's own request and response, for handlers that answer by themselves. */
  readonly request: NodeRequest
  readonly response: NodeResponse
}

/** An answer given to the framework; `taken` when the handler answers by itself on Node's response. */
export interface Answer {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Buffer
  /** Sent in pieces, without a length. */
  readonly chunks?: readonly string[]
}

export const taken = 'taken'

export type Result = Answer | typeof taken

/** Answers, promises to, or throws. */
export type Handle = (call: Call) => Result | Promise<Result>

/** Runs between the door and the handler: lets the call pass when it returns nothing. */
export type Hook = (call: Call) => Answer | undefined | Promise<Answer | undefined>

export interface App {
  readonly handle: Handle
  readonly hook?: Hook | undefined
}

/** A handler that answers when told, and counts its calls. */
export class HeldHandler {
  calls = 0
  /** Calls that have started, in order. */
  readonly started: Call[] = []
  readonly #release: ((result: Result) => void)[] = []

  readonly handle = (call: Call): Promise<Result> => {
    this.calls++
    this.started.push(call)
    return new Promise((resolve) => this.#release.push(resolve))
  }

  /** Lets the oldest call that still runs answer. */
  release(result: Result = { body: 'done' }): void {
    this.#release.shift()?.(result)
  }

  releaseAll(result: Result = { body: 'done' }): void {
    while (this.#release.length > 0) this.release(result)
  }
}
