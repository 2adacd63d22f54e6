// What is compared: a policy says what stands before each instance of a service, and what its callers do about failure.
// To add one, add a row to policies.ts; a scenario may adapt it (`Scenario.adapt`).

import type { Runtime } from '../core/runtime.ts'
import type { Entrance } from './entrance.ts'
import type { ClientPlan, EjectionPlan, HealthPlan } from './scenario.ts'

export interface Policy {
  readonly name: string
  /** In a sentence. */
  readonly about: string
  /** Made for each instance of a service that is not foreign. Without one, everything goes straight to the plant. */
  readonly entrance?: (place: Place, runtime: Runtime) => Entrance
  /** What becomes of a caller's plan. Default: it stays as it is. */
  readonly client?: (plan: ClientPlan) => ClientPlan
  /** Changes how instances are checked, and whether they are taken out. */
  readonly health?: (plan: HealthPlan) => HealthPlan
  readonly ejection?: EjectionPlan
  /**
   * What becomes of work whose caller has gone: it goes on to its end; no further step of it starts and its own calls are
   * left; or it is broken off where it is.
   */
  readonly leaving?: 'works-on' | 'stops' | 'breaks-off'
  /** How long a permit is held for a response that is still being written, ms. Default: to its end. */
  readonly writeHoldMaxMs?: number
}

/** The place an entrance is made for. */
export interface Place {
  readonly service: string
  readonly instance: number
  /** How many requests at once keep the plant just busy. */
  readonly limit: number
  /** Mean time a request takes when nothing waits, ms. */
  readonly meanMs: number
  /** From the intended start to the last useful answer, ms. */
  readonly deadlineMs: number
}
