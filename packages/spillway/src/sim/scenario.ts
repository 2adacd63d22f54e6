// A scenario: a service, who calls it and what happens to it, as plain data. How to write one:
//
//   const spike: Scenario = {
//     id: 'my-spike', title: 'Ten times the load for a second',
//     services: { shop: { plant: { kind: 'pool', slots: 8 }, workMs: exponential(20) } },         // 400/s
//     traffic: [{ arrivals: { perS: plan.rate }, client: { timeoutMs: 250, attempts: 3 } }],
//     phases: plan.phases,                    // see `planOf` in plan.ts: rates and phases from multiples of the capacity
//     capacityPerS: 400, deadlineMs: 250,
//     faults: [{ kind: 'slow-down', service: 'shop', factor: 10, fromMs: 20_000, toMs: 25_000 }],
//     passes: (run) => [{ name: 'plateau', holds: …, wanted: '…', got: '…' }],
//   }
//   const run = runScenario(spike, policies.default, 1)        // the same seed gives the same run, to the last event
//
// Everything that is drawn (arrivals, kinds, tenants, work) comes from streams named after their use, so that every policy
// meets the same requests. The scenario says what the world is; the policy says what stands before each service and what
// its callers do about failure. `checkScenario` refuses what makes no sense, with all problems at once.

import type { RunRecord } from '../verdict/run-record.ts'
import type { ThresholdOptions } from '../verdict/thresholds.ts'
import type { Arrivals } from '../workload/arrivals.ts'
import type { Distribution } from '../workload/distribution.ts'
import type { Mix } from '../workload/mix.ts'
import type { Fault } from './fault.ts'
import type { Policy } from './policy.ts'

export interface Scenario {
  /** Short and unique, such as S07. */
  readonly id: string
  /** A few words. Commands also find a scenario by them, with dashes: `spike-with-retries`. */
  readonly title: string
  /** What it shows, in a sentence or two. */
  readonly about?: string
  /** By name. Services may call each other, but not in circles. */
  readonly services: Readonly<Record<string, ServicePlan>>
  readonly traffic: readonly Traffic[]
  /** One after the other without gaps, from 0; arrivals end with the last. */
  readonly phases: readonly PhasePlan[]
  /** What the service that is called from outside can do when nothing is wrong, per second. */
  readonly capacityPerS: number
  /** From the intended start to the last useful answer, ms. Kinds of requests may have their own. */
  readonly deadlineMs: number
  readonly faults?: readonly Fault[]
  /** Length of an interval of the series, ms. Default 100. */
  readonly intervalMs?: number
  /** When a run that does not end is stopped, ms. Default: a minute after the last phase. */
  readonly horizonMs?: number
  /** Changes a policy for this scenario, for instance a limit that only its author can know. */
  readonly adapt?: (policy: Policy) => Policy
  /** Sorts requests into groups with latencies of their own; undefined leaves one out. */
  readonly groupOf?: (request: RequestFacts) => string | undefined
  /** Bars of the verdict that this plan sets differently. */
  readonly thresholds?: ThresholdOptions
  /** Policies it is run with unless others are named. Default: `default` and `unprotected`. */
  readonly policies?: readonly string[]
  /** What `passes` asks for, in a sentence. */
  readonly asks?: string
  /** What a run of a good policy must show, beyond the verdict. */
  readonly passes?: (run: SimulatedRun) => readonly Criterion[]
  /** What all replications together must show. */
  readonly passesTogether?: (runs: readonly SimulatedRun[]) => readonly Criterion[]
}

/** What is known of a request when it is made. */
export interface RequestFacts {
  readonly traffic: string
  readonly class: string | undefined
  readonly tenant: string | undefined
  readonly criticality: string | undefined
  readonly intendedAt: number
}

export interface Criterion {
  readonly name: string
  readonly holds: boolean
  readonly wanted: string
  readonly got: string
}

/** A phase of the plan. Names as `PhaseRole` says: `warm-up`, `baseline`, `stress 2x`, `recovery`. */
export interface PhasePlan {
  readonly name: string
  readonly lengthMs: number
  /** Load as a multiple of the capacity, where it is one. */
  readonly multiple?: number
  /** What the service can do in this phase, where a fault makes it less. Default: the scenario's capacity. */
  readonly capacityPerS?: number
}

/** Callers of one sort. */
export interface Traffic {
  /** Default: `clients`, with its place in the list when there are several. */
  readonly name?: string
  /** The service they call. Default: the first one. */
  readonly to?: string
  /** Open loop: requests come when they come. */
  readonly arrivals?: Arrivals
  /** Closed loop, instead: so many workers, each taking the next job when it is done with the last. */
  readonly workers?: Workers
  readonly mix?: Mix
  readonly client?: ClientPlan
  /** False for traffic that is there to disturb: it is served and counted for conservation, but not in the record. */
  readonly measured?: boolean
}

export interface Workers {
  readonly count: number
  /** Jobs there are. Default: as many as the workers can do. */
  readonly jobs?: number
  readonly fromMs?: number
  /** Pause between two jobs of one worker, ms. Default none. */
  readonly thinkMs?: Distribution
}

/** How a caller behaves. Also for services that call others. */
export interface ClientPlan {
  /**
   * Leaves an attempt that is not answered after this, ms; Infinity waits for ever. Sent along as the time left. Default: the
   * request's deadline.
   */
  readonly timeoutMs?: number
  /** Most attempts, the first included. Default 1. */
  readonly attempts?: number
  /** Pause before another attempt. Default none. */
  readonly backOff?: BackOffPlan
  /** Bounds further attempts to a share of first attempts. Default none. */
  readonly retryBudget?: RetryBudgetPlan
  /** No attempt starts or lasts beyond this, from the intended start, ms. Default: as long as attempts are left. */
  readonly overallMs?: number
  /** Leaves for good after this, whatever happens, ms. Default never. */
  readonly patienceMs?: Distribution
  /** What is tried again. Default: all three. */
  readonly retryOn?: readonly ('timeout' | 'failed' | 'rejected')[]
  /** Waits at least as long as a refusal advises. Default false. */
  readonly heedsRetryAfter?: boolean
  /** Sends the time it has left along. Default true. */
  readonly tellsDeadline?: boolean
}

export type BackOffPlan =
  | { readonly kind: 'none' }
  /** `jitter` is the share by which the pause varies to either side. */
  | { readonly kind: 'fixed'; readonly ms: number; readonly jitter?: number }
  /** baseMs × factorⁿ⁻¹, at most maxMs. `full` jitter draws between 0 and that. */
  | {
      readonly kind: 'exponential'
      readonly baseMs: number
      readonly factor?: number
      readonly maxMs?: number
      readonly jitter?: 'full' | number
    }

export interface RetryBudgetPlan {
  /** Retries allowed per first attempt. */
  readonly ratio: number
  /** Tokens there are at the start, for the quiet hours. Default 10. */
  readonly reserve?: number
  /** Most tokens that are kept. Default 100. */
  readonly tokensMax?: number
}

export interface ServicePlan {
  readonly plant: PlantPlan
  /** Work a request does in the plant, ms: short for `steps: [{ do: 'work', ms }]`. */
  readonly workMs?: Distribution
  /** What a request does, in order. */
  readonly steps?: readonly Step[]
  /** True when each attempt draws its work anew; otherwise a retry asks for the same work again. Default false. */
  readonly redraws?: boolean
  /** One-way delay between its callers and it, ms. Default none. */
  readonly networkMs?: Distribution
  /** Several instances behind a balancer. Default: one. */
  readonly fleet?: FleetPlan
  /** Someone else's: no policy stands before it. Default false. */
  readonly foreign?: boolean
  /** Concurrency limit for policies with a fixed one. Default: what keeps the plant just busy. */
  readonly limit?: number
  /** Size of a response, for callers that read slowly, bytes. Default 0. */
  readonly responseBytes?: number
  /** What the operating system takes at once of a response, bytes. Default 16 384. */
  readonly socketBufferBytes?: number
  /** Memory of a request in the process, bytes. Default 16 384. */
  readonly requestBytes?: number
}

/** Where the work of a service is done. */
export type PlantPlan =
  /** So many at a time, the rest in line: a connection pool, a thread pool. The line has no end unless `queueMax` says so. */
  | {
      readonly kind: 'pool'
      readonly slots: number
      readonly queueMax?: number
      /** Whether a slot is held for the work only, or from the first step to the last, calls included. Default `work`. */
      readonly holds?: 'work' | 'visit'
    }
  /** All at once on so many cores, more slowly the more there are. */
  | {
      readonly kind: 'sharing'
      readonly cores: number
      /** Beyond so many at once, capacity falls by 1/(1 + k(n − beyond)). */
      readonly contention?: { readonly k: number; readonly beyond: number }
    }
  /** One event loop: work is synchronous, arrivals wait where no code sees them. */
  | {
      readonly kind: 'loop'
      /** `kept`: requests on open connections, read at once per turn; `fresh`: one new connection accepted per turn. */
      readonly connections: 'kept' | 'fresh'
      /** Connections the operating system keeps; more are dropped unseen. Default 511. */
      readonly backlog?: number
      /** Synchronous work to accept a connection, to read a request, to refuse one, ms. Default 0. */
      readonly acceptMs?: number
      readonly readMs?: number
      readonly refuseMs?: number
    }
  /** Nothing is scarce. */
  | { readonly kind: 'endless' }

export type Step =
  /** Occupies the plant. Default: the service's `workMs`. */
  | { readonly do: 'work'; readonly ms: Distribution }
  /** Waits for something that is not modelled. */
  | { readonly do: 'wait'; readonly ms: Distribution }
  /** Calls one service, or several at once and waits for all. */
  | {
      readonly do: 'call'
      readonly to: string | readonly string[]
      readonly client?: ClientPlan
      /** Share of the requests that make the call. Default 1. */
      readonly share?: number
      /** Classes that make the call. Default: all. */
      readonly classes?: readonly string[]
      /** Goes on without the answer when the call fails. Default false. */
      readonly optional?: boolean
      /** Remembers answers by key, and asks only for those it has not. */
      readonly cache?: CachePlan
    }

export interface CachePlan {
  /** How long an answer is good, ms. Default for ever. */
  readonly ttlMs?: number
  /** Most answers kept; the one used longest ago goes first. Default no bound. */
  readonly entriesMax?: number
  /** Keys known at the start, the most popular first. Default none. */
  readonly warm?: number
  /** Callers who miss the same key share one call. Default false. */
  readonly coalesces?: boolean
}

export interface FleetPlan {
  readonly replicas: number
  /** Default `round-robin`. */
  readonly balancer?: 'round-robin' | 'least-connections' | 'power-of-two'
  readonly health?: HealthPlan
  /** Takes an instance out for a while when its answers fail. Default never. */
  readonly ejection?: EjectionPlan
  /** From the decision to start an instance until it serves, ms. Default 0. */
  readonly startUpMs?: number
  /** A new instance works so many times slower for a while. */
  readonly coldStart?: { readonly factor: number; readonly lengthMs: number }
  readonly autoscaler?: AutoscalerPlan
}

export interface HealthPlan {
  readonly everyMs: number
  readonly timeoutMs: number
  /** Checks missed in a row until the instance is restarted. */
  readonly missesMax: number
  /** Whether a check waits behind the requests and does work like them. Policies that answer checks apart make it false. */
  readonly sharesQueue: boolean
  /** Work of a check, ms. Default 1. */
  readonly workMs?: number
}

export interface EjectionPlan {
  /** Failures in a row until an instance is left out. */
  readonly failuresMax: number
  readonly forMs: number
  /** Most of the fleet that may be out at once, as a share. Default 0.5. */
  readonly shareMax?: number
}

export interface AutoscalerPlan {
  readonly everyMs: number
  readonly replicasMin: number
  readonly replicasMax: number
  /** Busy share of the plant that is aimed at, 0 to 1. */
  readonly target: number
  /** `utilisation`: busy share of the plants; `demand`: first attempts offered × work, refused ones included. */
  readonly signal: 'utilisation' | 'demand'
  /** Replicas are taken away only when that has been right for so long, ms. Default 300 000. */
  readonly downAfterMs?: number
}

/** What a simulated run leaves behind: the common record, and what only a simulation knows. */
export interface SimulatedRun extends RunRecord {
  /** Equal for equal runs, on every machine and version of Node. */
  readonly traceHash: string
  /** Timers that were set and fired or were stopped, and logical requests that were made. */
  readonly events: number
  readonly requests: number
  readonly endedAtMs: number
  /** By name of service, all instances together. */
  readonly services: Readonly<Record<string, ServiceAccount>>
  /** By `groupOf`, phase by phase. */
  readonly groups: Readonly<Record<string, readonly GroupAccount[]>>
  /** Logical requests that ended unanswered, by phase: part of `late`. */
  readonly timeouts: Readonly<Record<string, number>>
}

/** What happened at one service. */
export interface ServiceAccount {
  /** Calls that reached it, by how they ended; `inside` have not. */
  readonly arrived: number
  readonly done: number
  readonly failed: number
  readonly rejected: number
  readonly left: number
  readonly inside: number
  /** Calls that never reached it: connections dropped, nobody there. */
  readonly dropped: number
  /** Pieces of work that ran, and those that ran for callers who had gone; both also as time, ms. */
  readonly worked: number
  readonly workedForGone: number
  readonly workedMs: number
  readonly workedForGoneMs: number
  /** Mean and longest wait until work began or was refused, ms; mean stay. */
  readonly waitMeanMs: number
  readonly waitMaxMs: number
  readonly stayMeanMs: number
  /** Mean number inside over the run. */
  readonly insideMean: number
  /** Share of the plant that was busy, 0 to 1; undefined where nothing is scarce. */
  readonly utilisation: number | undefined
  /** Answers from its caches, and lookups. */
  readonly cacheHits: number
  readonly cacheLookups: number
  /** Instances that were restarted, and replicas at the end. */
  readonly restarts: number
  readonly replicas: number
  readonly ejections: number
  /** Longest time a permit was held after the work was done, while a response was written, ms. */
  readonly writeHoldMaxMs: number
  /** Longest orderly stop, from the signal to the exit, ms; undefined when there was none. */
  readonly drainMs: number | undefined
}

/** Requests of one group in one phase. */
export interface GroupAccount {
  readonly phase: string
  readonly offered: number
  readonly good: number
  readonly late: number
  readonly rejected: number
  readonly failed: number
  readonly p50Ms: number | undefined
  readonly p99Ms: number | undefined
}
