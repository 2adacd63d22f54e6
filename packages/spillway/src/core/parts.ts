// What a door is put together from. `createAdmission` does it for users; the simulator and the tests do it themselves.

import type { Discipline } from './discipline.ts'
import type { Limiter } from './limiter.ts'
import type { Observer } from './observer.ts'
import type { Quota } from './quota.ts'

export interface AdmissionParts {
  readonly limiter: Limiter
  readonly discipline: Discipline
  readonly quota: Quota | undefined
  readonly observer: Observer | undefined
  /** Time left for work that names no deadline, ms. */
  readonly deadlineMs: number
  /** Longest wait in the queue, ms. */
  readonly waitMaxMs: number
  /** Age at which the watchdog takes a permit back, ms. */
  readonly permitAgeMaxMs: number
  /** Classes whose service times are told apart. */
  readonly classesMax: number
}
