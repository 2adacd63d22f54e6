// Callers of a door, for tests: they remember what they were told, and fail a test that expected another answer.

import { expect } from 'vitest'
import type { Door } from '../src/core/admission-async.ts'
import type { Arrival } from '../src/core/arrival.ts'
import type { Decision, Rejection } from '../src/core/decision.ts'
import type { Permit } from '../src/core/permit.ts'
import type { Quota, QuotaAnswer } from '../src/core/quota.ts'
import type { Ticket, Waiter } from '../src/core/ticket.ts'
import { VirtualRuntime } from '../src/runtime/virtual.ts'
import { type AdmissionOptions, createAdmission } from '../src/surface/create-admission.ts'

export function setUp(options: AdmissionOptions): { door: Door; runtime: VirtualRuntime } {
  const runtime = new VirtualRuntime(7)
  return { door: createAdmission(options, runtime), runtime }
}

/** Notes how its wait ended, and does as it was told at the end of it. */
export class Note implements Waiter {
  permit: Permit | undefined
  rejection: Rejection | undefined
  readonly #onAdmitted: (permit: Permit) => void
  readonly #onRejected: (rejection: Rejection) => void

  constructor(onAdmitted: (permit: Permit) => void = () => {}, onRejected: (rejection: Rejection) => void = () => {}) {
    this.#onAdmitted = onAdmitted
    this.#onRejected = onRejected
  }

  admitted(permit: Permit): void {
    this.permit = permit
    this.#onAdmitted(permit)
  }

  rejected(rejection: Rejection): void {
    this.rejection = rejection
    this.#onRejected(rejection)
  }
}

export function admitted(decision: Decision): Permit {
  if (decision.status !== 'admitted') throw new Error(`expected a permit, got ${decision}`)
  return decision
}

export function waiting(decision: Decision): Ticket {
  if (decision.status !== 'waiting') throw new Error(`expected a ticket, got ${decision}`)
  return decision
}

/** Takes `count` permits. */
export function hold(door: Door, count: number, arrival: Arrival = {}): Permit[] {
  return Array.from({ length: count }, () => admitted(door.offer(arrival)))
}

/** Works `times` times in a row, `serviceMs` each, and succeeds. */
export function serve(
  door: Door,
  runtime: VirtualRuntime,
  times: number,
  serviceMs: number,
  arrival: Arrival = {},
): void {
  for (let index = 0; index < times; index++) {
    const permit = admitted(door.offer(arrival))
    runtime.advance(serviceMs)
    permit.settle('success')
  }
}

/** A shared store: answers when the test says so. */
export class LateQuota implements Quota {
  readonly refunded: number[] = []
  readonly #answers: ((answer: QuotaAnswer) => void)[] = []

  take(_key: string, _cost: number, answer: (answer: QuotaAnswer) => void): undefined {
    this.#answers.push(answer)
  }

  refund(_key: string, cost: number): void {
    this.refunded.push(cost)
  }

  /** Answers the question that is open longest. */
  answer(allowed: boolean): void {
    this.#answers.shift()?.({ allowed, retryAfterMs: allowed ? undefined : 5 })
  }
}

/** The accounts add up: every arrival is in exactly one place. */
export function expectAccounts(door: Door): void {
  const { offered, running, waiting, success, ignored, dropped, reclaimed, cancelled, rejected } = door.snapshot()
  const refused = Object.values(rejected).reduce((sum, { door, queue }) => sum + door + queue, 0)
  expect(running + waiting + success + ignored + dropped + reclaimed + cancelled + refused).toBe(offered)
}
