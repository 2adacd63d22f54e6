// Every error Spillway throws, as one closed table. Match on `code`: two copies of a package in one process break
// instanceof. docs/reference/errors.md has a section for each code, and a test compares both ways.

import type { Rejection } from './decision.ts'

/** Code → what it means, in one sentence. */
export const errorTable = {
  SPILLWAY_OPTIONS_INVALID: 'Options given to a constructor are wrong; the message lists every problem at once.',
  SPILLWAY_ARRIVAL_INVALID:
    'An arrival offered to the door has a field that makes no sense; nothing was counted or taken.',
  SPILLWAY_REJECTED: 'The door refused the work; `decision` says why, where and on which numbers.',
  SPILLWAY_PEER_MISSING: 'An adapter runs on something other than the framework or server it translates for.',
  SPILLWAY_INTERNAL: 'An assertion about Spillway itself failed; please report it.',
} as const

export type ErrorCode = keyof typeof errorTable

/** Base of every error Spillway throws. */
export class SpillwayError extends Error {
  readonly code: ErrorCode

  constructor(code: ErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'SpillwayError'
    this.code = code
  }
}

/**
 * The refusal as an exception, for the promise edge only. `code` is SPILLWAY_REJECTED. It has no stack frames: a refusal is
 * an answer and no fault, and collecting them costs more than a hundred refusals.
 */
export class RejectedError extends SpillwayError {
  readonly decision: Rejection

  constructor(decision: Rejection) {
    const frames = Error.stackTraceLimit
    // Reflect, since it may be read-only, in processes that freeze what is built in.
    Reflect.set(Error, 'stackTraceLimit', 0)
    super('SPILLWAY_REJECTED', decision.toString())
    Reflect.set(Error, 'stackTraceLimit', frames)
    this.name = 'RejectedError'
    this.decision = decision
  }
}
