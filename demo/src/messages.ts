// Everything the demo's processes say to one another, over the channel that Node opens between parent and child.

import type { Plan } from './plan.ts'
import type { ResourceName } from './resources/resource.ts'

export const serviceNames = ['unprotected', 'protected'] as const
export type ServiceName = (typeof serviceNames)[number]

export type DatabaseAddress = {
  readonly host: string
  readonly port: number
  readonly user: string
  readonly password: string
  readonly database: string
}

// Parent to child. Each child gets one order when it is ready for it; closing the channel is the order to stop.

export type ServiceOrder = {
  readonly service: ServiceName
  readonly resource: ResourceName
  readonly database: DatabaseAddress | undefined
}

export type CapacityOrder = {
  readonly resource: ResourceName
  readonly database: DatabaseAddress | undefined
  readonly durationMs: number
}

export type GeneratorOrder = {
  readonly plan: Plan
  readonly seed: number
  readonly timeoutMs: number
  /** All are sent the same arrivals at the same instants. */
  readonly targets: readonly { readonly service: ServiceName; readonly port: number }[]
}

// Child to parent.

export type ServiceReading = {
  readonly type: 'reading'
  readonly rssBytes: number
  /** At work in the resource. */
  readonly running: number
  /** Waiting inside the service: in front of the resource, or at the door of the protected one. */
  readonly waiting: number
  /** Jobs that the resource finished. */
  readonly finished: number
  /** Of those, jobs whose caller had left before the answer was delivered. */
  readonly wasted: number
}

/** What became of some callers of one service since the last message; the arrays run in parallel. */
export type Settled = {
  readonly service: ServiceName
  readonly index: Uint32Array
  readonly outcome: Uint8Array
  readonly reason: Uint8Array
  readonly latencyMs: Float64Array
}

export type GeneratorProgress = {
  readonly type: 'progress'
  readonly elapsedMs: number
  /** How many arrivals have come due. */
  readonly due: number
  readonly settled: readonly Settled[]
}

export type GeneratorReport = {
  readonly type: 'done'
  /** How late each request left, over all targets, in ms and in the order sent. */
  readonly latenessMs: Float64Array
  readonly cpuShare: number
  readonly loopUtilisation: number
}

export type Message =
  | { readonly type: 'ready' }
  | { readonly type: 'listening'; readonly port: number }
  | { readonly type: 'address'; readonly address: DatabaseAddress }
  | { readonly type: 'capacity'; readonly perS: number }
  | { readonly type: 'warm' }
  | { readonly type: 'began' }
  | { readonly type: 'problem'; readonly message: string }
  | ServiceReading
  | GeneratorProgress
  | GeneratorReport
