// What must be true of our own code, checked in production too: a door that has lost count of its permits must say so,
// not go on refusing for ever. Users' mistakes are not assertions; they get errors from the table in errors.ts.

import { SpillwayError } from './errors.ts'

/** Throws SPILLWAY_INTERNAL when the condition is false: always a fault of Spillway. */
export function assert(condition: boolean, message: string): asserts condition {
  if (!condition) throw new SpillwayError('SPILLWAY_INTERNAL', `${message} (please report this)`)
}
