// What one run under load leaves behind, simulated or live: the load lab and the simulator fill the same record, and the
// verdict reads nothing else. Counts are by intended start: a request belongs to the interval in which its caller meant to
// send it, whenever it was sent and however it ended.

/** What happened in one interval. Counts are of requests intended to start in it. */
export interface Interval {
  /** Start of the interval, ms from the start of the run; intervals are `RunRecord.intervalMs` long. */
  readonly fromMs: number
  /** Logical requests: first attempts intended. */
  readonly offered: number
  /** Attempts sent, retries included, by the interval of their own sending. */
  readonly attempts: number
  /** Logical requests answered well before their deadline. */
  readonly good: number
  /** Answered well, too late; or given up unanswered (timed out). */
  readonly late: number
  /** Refused at last: no attempt was left. */
  readonly rejected: number
  /** Ended in an error. */
  readonly failed: number
  /** Never sent, because the generator could not. */
  readonly unsent: number
  /** Attempts refused in this interval, by reason, retries included. */
  readonly rejectedByReason: Readonly<Record<string, number>>
  /** Slots in use and the limit, averaged over the interval; undefined when not known. */
  readonly inFlight: number | undefined
  readonly limit: number | undefined
  /** Waiting at the end of the interval, wherever it is known to wait; undefined when not known. */
  readonly queue: number | undefined
  /** Latency of those that were answered well in time, for pictures only; left out when not known. */
  readonly p50Ms?: number | undefined
  readonly p99Ms?: number | undefined
}

/** Percentiles of one kind of ending, ms; undefined without samples. */
export interface Latencies {
  readonly count: number
  /** Left out when not known. */
  readonly meanMs?: number | undefined
  readonly p50Ms: number | undefined
  readonly p90Ms: number | undefined
  readonly p99Ms: number | undefined
  readonly maxMs: number | undefined
}

/**
 * What a phase is for. The stress is what is judged, the baseline what the service must come back to; the cut is the
 * short reduction of load that shows whether a service that stayed down can be freed.
 */
export type PhaseRole = 'warm-up' | 'baseline' | 'stress' | 'cut' | 'recovery'

/** A part of the plan, such as warm-up, baseline, stress, recovery. */
export interface Phase {
  /** Unique in its plan. The role is how it begins (`stress 10x`); other names belong to no role and are not judged. */
  readonly name: string
  readonly fromMs: number
  readonly toMs: number
  /** Load as a multiple of the capacity in this phase, where the plan says so. */
  readonly multiple: number | undefined
  /** What the service could do in this phase, per second (less than the capacity under a fault). */
  readonly capacityPerS: number
}

/** Latencies of one phase, from the intended start of the logical request. */
export interface PhaseLatencies {
  readonly good: Latencies
  readonly late: Latencies
  /** Of single attempts: from sending to the refusal. */
  readonly rejected: Latencies
  readonly failed: Latencies
}

/** Requests of one criticality or tenant in one phase. */
export interface GroupCount {
  readonly phase: string
  readonly group: string
  readonly offered: number
  readonly good: number
}

/** Everything one run left behind. */
export interface RunRecord {
  readonly scenario: string
  readonly policy: string
  readonly seed: number
  /** What the service can do when nothing is wrong, per second. */
  readonly capacityPerS: number
  /** Deadline of a request from its intended start, ms; what the verdict bounds latency by. */
  readonly deadlineMs: number
  readonly intervalMs: number
  readonly intervals: readonly Interval[]
  readonly phases: readonly Phase[]
  /** By name of phase. */
  readonly latencies: Readonly<Record<string, PhaseLatencies>>
  readonly byCriticality: readonly GroupCount[]
  readonly byTenant: readonly GroupCount[]
  /** Share of the scarce work that was done for callers who had gone, 0 to 1; undefined when not known. */
  readonly wastedRatio: number | undefined
  /** Attempts per logical request over the whole run. */
  readonly attemptsPerRequest: number
  /** Longest wait in the queue the run saw, ms; undefined when not known. */
  readonly queueWaitMaxMs: number | undefined
  /** Median service time when nothing waits, ms; undefined when not known. */
  readonly serviceP50Ms?: number | undefined
  /** CPU of one refusal as a share of the CPU of one success; undefined when not measured. */
  readonly refusalCostRatio: number | undefined
  /** Memory at rest and at its highest, MB; undefined when not measured. */
  readonly memoryIdleMb: number | undefined
  readonly memoryPeakMb: number | undefined
  /** Health checks asked and failed; undefined when none were made. */
  readonly healthChecks: { readonly asked: number; readonly failed: number } | undefined
  /** Generator's lateness p99, ms (0 in a simulation), and its loop utilisation; undefined when not measured. */
  readonly latenessP99Ms: number | undefined
  readonly generatorUtilisation: number | undefined
  /** Socket errors of the generator's own making; undefined when it has no sockets. */
  readonly generatorErrors?: number | undefined
  /** Breaches of conservation, in words; empty when every account adds up. */
  readonly conservationErrors: readonly string[]
  /** Anything the run wants to say: ended at its horizon, nothing could ever happen again. */
  readonly warnings: readonly string[]
}
