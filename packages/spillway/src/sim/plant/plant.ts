// Where work is done: the scarce thing of a service. A plant knows nothing of doors, deadlines or callers; whoever is in
// its line is worked for in turn, wanted or not, because that is how pools, cores and loops are.

import type { Due, VirtualRuntime } from '../../runtime/virtual.ts'
import type { LoopTarget, Process } from '../process.ts'

/** How a piece of work ended. `refused` only by a plant whose line is bounded. */
export type WorkEnding = 'ok' | 'failed' | 'refused'

/** What a plant needs of whoever brings work. Plants own the three fields and the events from `plantEvent` on. */
export interface Job extends Due, LoopTarget {
  /** Work it needs, ms of one slot or core at its usual speed. Set by who brings it. */
  workMs: number
  /** When its work began, and how long it took so far; NaN while it waits. Owned by the plant. */
  beganAt: number
  /** Where it is: owned by the plant. */
  place: JobPlace
  /** Starts or stops the job's one timer. Only for the plant that has it. */
  startTimer(delayMs: number): void
  stopTimer(): void
  /** Its work begins now. */
  workBegins(now: number): void
  /** Its work is over; `busyMs` is what it took of the plant. */
  worked(ending: WorkEnding, busyMs: number): void
}

export type JobPlace = 'nowhere' | 'line' | 'slot' | 'hanging' | 'failing'

/** What happens to a job in its process: its timer fired, a computation is done. */
export const ELAPSED = 0
export const COMPUTED = 1

/** What a fault makes of work that starts. */
export type PlantMode = 'working' | 'failing' | 'hanging'

export interface Plant {
  /** Pieces of work that run, and that wait. */
  readonly running: number
  readonly waiting: number
  /** Slots or cores there are now; undefined where nothing is scarce. */
  readonly slots: number | undefined
  /** Slot-time used until now, ms. */
  busyMs(now: number): number
  /** Takes work. Calls `worked` once, later or before it returns. */
  run(job: Job): void
  /** The job's timer fired, or its computation is done. */
  advance(job: Job, what: number): void
  /**
   * Ends work that is not wanted any more, without calling back. Returns the time it had taken, ms; undefined when it
   * cannot be ended and goes on.
   */
  withdraw(job: Job): number | undefined
  /** Gives back what `visit`-long holders keep; a no-op elsewhere. */
  release?(job: Job): void
  /** Work that starts takes so many times longer. */
  setSlowness(factor: number): void
  /** `failMs`: how long work takes that fails; undefined: as long as it would have. */
  setMode(mode: PlantMode, failMs: number | undefined): void
  /** Only so many slots are left; undefined: all. */
  setSlots(slots: number | undefined): void
  /** The process stops or goes on. */
  setStopped(stopped: boolean): void
}

/** What plants are made with. */
export interface PlantContext {
  readonly world: VirtualRuntime
  readonly process: Process
}
