// The simulator as its users see it.

export type { Arrivals, RatedArrivals, RecordedArrivals } from '../workload/arrivals.ts'
export {
  bimodal,
  boundedPareto,
  constant,
  type Distribution,
  empirical,
  exponential,
  lognormal,
} from '../workload/distribution.ts'
export type { KeySpace, Mix, RequestKind } from '../workload/mix.ts'
export {
  burstTrain,
  inSteps,
  type RatePoint,
  type RateProfile,
  type RateStep,
  spike,
  steadily,
} from '../workload/rate-profile.ts'
export { type Catalogue, type CatalogueEntry, catalogueOf, type JudgedRun, type JudgeOptions } from './catalogue.ts'
export { checkScenario } from './check.ts'
export { DoorEntrance } from './door-entrance.ts'
export type { Entrance, Guest } from './entrance.ts'
export { difference, type Estimate, estimate, goodputIn, type Measure, replicate, seedsFrom } from './experiment.ts'
export type { Fault, FaultKind } from './fault.ts'
export { PlainQueue, type PlainQueueOptions } from './plain-queue.ts'
export { type LoadPhase, type Plan, planOf, usualPlan } from './plan.ts'
export { type PolicyName, policies, policyNamed } from './policies.ts'
export type { Place, Policy } from './policy.ts'
export * from './report/index.ts'
export { type RunOptions, runScenario } from './run.ts'
export type * from './scenario.ts'
export { scenarios } from './scenarios/index.ts'
export * from './tick/index.ts'
