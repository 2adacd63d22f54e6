// One logical request: what somebody wants once, however many attempts it takes. All of it is drawn before anyone serves
// it, so that no policy can shift what the next one asks for.

import type { Criticality } from '../core/criticality.ts'
import type { RequestKind } from '../workload/mix.ts'
import type { Errand, Outcome } from './client.ts'
import type { GroupBook } from './group-book.ts'

/** Who made a request, and is told how it ended. */
export interface RequestOwner {
  ended(request: Request, outcome: Outcome): void
}

export class Request implements Errand {
  /** Number of the request in its run: the key of everything that is drawn for it later. */
  readonly index: number
  readonly intendedAt: number
  readonly kind: RequestKind
  readonly class: string | undefined
  readonly tenant: string | undefined
  readonly criticality: Criticality | undefined
  readonly cost: number
  /** From the intended start to the last useful answer, ms. */
  readonly deadlineMs: number
  /** Which key it asks for. */
  readonly key: number
  /** Multiple of the usual work. */
  readonly workFactor: number
  /** Index of the phase it belongs to, or -1 for traffic that is not measured. */
  readonly phase: number
  readonly #owner: RequestOwner | undefined
  // Where its ending is counted, besides the whole: by criticality, tenant, and the scenario's own groups.
  criticalityBook: GroupBook | undefined = undefined
  tenantBook: GroupBook | undefined = undefined
  groupBook: GroupBook | undefined = undefined

  constructor(
    index: number,
    intendedAt: number,
    kind: RequestKind,
    className: string | undefined,
    tenant: string | undefined,
    criticality: Criticality | undefined,
    deadlineMs: number,
    key: number,
    workFactor: number,
    phase: number,
    owner: RequestOwner | undefined,
  ) {
    this.index = index
    this.intendedAt = intendedAt
    this.kind = kind
    this.class = className
    this.tenant = tenant
    this.criticality = criticality
    this.cost = kind.cost ?? 1
    this.deadlineMs = deadlineMs
    this.key = key
    this.workFactor = workFactor
    this.phase = phase
    this.#owner = owner
  }

  pursued(outcome: Outcome): void {
    this.#owner?.ended(this, outcome)
  }
}

/** How a logical request ended: in time, too late or given up, refused, failed. */
export type RequestEnding = 'good' | 'late' | 'rejected' | 'failed'
