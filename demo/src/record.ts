// Everything a run leaves behind, raw. The summary, the verdict and the reports are all functions of this.

import { drawArrivals } from './arrivals.ts'
import { Ledger } from './ledger.ts'
import type { GeneratorReport, ServiceName, ServiceReading } from './messages.ts'
import type { Plan } from './plan.ts'
import type { ResourceName } from './resources/resource.ts'

export type Reading = ServiceReading & {
  /** From the start of the load; negative before it. */
  readonly atMs: number
}

export type Twin = {
  readonly service: ServiceName
  readonly ledger: Ledger
  readonly readings: readonly Reading[]
}

export type RunRecord = {
  readonly resource: ResourceName
  readonly seed: number
  readonly plan: Plan
  readonly timeoutMs: number
  /** Jobs per second of the bare resource, measured in this run. */
  readonly capacityPerS: number
  readonly twins: Readonly<Record<ServiceName, Twin>>
  /** One report for each run of the generator: one for both twins, or one each where they take turns. */
  readonly generators: readonly GeneratorReport[]
}

/** A twin that nothing has happened to yet. */
export function emptyTwin(service: ServiceName, plan: Plan, seed: number): Twin & { readings: Reading[] } {
  return { service, ledger: new Ledger(drawArrivals(plan, seed)), readings: [] }
}
