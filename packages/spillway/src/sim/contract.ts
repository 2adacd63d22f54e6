// How the parts of a simulation talk to each other: synchronously, like the core. Whatever can be called is a callee, be it
// a service, a balancer or a wire, and services compose because they are callers too.

import type { Reason } from '../core/decision.ts'
import type { Request } from './request.ts'

/** What a callee says: done, failed, or refused with a reason. */
export type Answer = 'ok' | 'failed' | Reason

/** Who waits for an answer. */
export interface Caller {
  /**
   * Called once per call unless the caller has left; perhaps before `call` has returned. `retryAfterMs` is what a refusal
   * advised.
   */
  answered(answer: Answer, retryAfterMs: number | undefined): void
}

/** The caller's side of a call that is out. */
export interface Departure {
  /** The caller has gone and will hear nothing more. What the callee makes of it is the callee's affair. */
  leave(): void
}

export interface Callee {
  call(attempt: Attempt, caller: Caller): Departure
}

/**
 * One attempt of one request at one service, in the shape in which the door wants its arrivals. `deadlineMs` is the time
 * left at the moment of sending; undefined when the caller tells nothing.
 */
export class Attempt {
  readonly key: string | undefined
  readonly class: string | undefined
  readonly criticality: Request['criticality']
  readonly deadlineMs: number | undefined
  readonly cost: number
  readonly attempt: number
  readonly request: Request
  /** Whether its caller has left. The callee learns of it when the news has travelled. */
  abandoned = false

  constructor(request: Request, attempt: number, deadlineMs: number | undefined) {
    this.key = request.tenant
    this.class = request.class
    this.criticality = request.criticality
    this.deadlineMs = deadlineMs
    this.cost = request.cost
    this.attempt = attempt
    this.request = request
  }
}

export function isRefusal(answer: Answer): answer is Reason {
  return answer !== 'ok' && answer !== 'failed'
}
