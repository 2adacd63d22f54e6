// The promise edge of the door: `run` and its kin, where waiting is awaiting and a refusal is an exception.

import { AsyncLocalStorage, AsyncResource } from 'node:async_hooks'
import { Admission } from './admission.ts'
import { type Arrival, plainArrival } from './arrival.ts'
import type { Decision, Rejection } from './decision.ts'
import type { DrainResult } from './drain.ts'
import { RejectedError } from './errors.ts'
import type { Permit } from './permit.ts'
import type { Outcome } from './sample.ts'
import type { Ticket, Waiter } from './ticket.ts'

/** An arrival whose caller may leave, and a say in what its failures mean. */
export interface RunOptions extends Arrival {
  /** Aborted when the caller leaves. While the work waits, it leaves the queue; once it runs, the work must watch it. */
  readonly signal?: AbortSignal | undefined
  /** What an error of the work says about capacity. Default: {@link outcomeOfError}. */
  readonly outcomeOf?: ((error: unknown) => Outcome) | undefined
}

/** A refusal or a time-out from further on is overload; anything else says nothing about capacity. */
export function outcomeOfError(error: unknown): Outcome {
  if (typeof error !== 'object' || error === null) return 'ignored'
  const { code, name } = error as { code?: unknown; name?: unknown }
  return code === 'SPILLWAY_REJECTED' || name === 'TimeoutError' ? 'dropped' : 'ignored'
}

/** The door, with promises. Made by `createAdmission`. */
export class Door extends Admission {
  // Which permit of this door the current async context works under. Made when the door is first full: only then can
  // work that holds a permit wait for itself, and entering a context costs more than the whole decision.
  #holding: AsyncLocalStorage<Permit> | undefined

  /**
   * Runs `work` when there is room, at once or after waiting, and settles its permit when the promise it returns has
   * ended. Rejects with RejectedError when the work is refused, with the signal's reason when the caller left before it
   * started, and with whatever the work threw.
   * Work that already holds a permit of this door runs `work` under that one: waiting for itself would never end.
   */
  run<T>(work: (permit: Permit) => T | PromiseLike<T>, options: RunOptions = plainArrival): Promise<Awaited<T>> {
    const held = this.#heldPermit()
    if (held !== undefined) {
      this.tally.nested++
      return asPromise(work, held)
    }
    if (options.signal?.aborted) return this.#leftBefore(options.signal)
    const run = new Run(this, work, options)
    let decision: Decision
    try {
      decision = this.offer(options, run)
    } catch (error) {
      return Promise.reject(error)
    }
    if (decision.status === 'admitted') return run.start(decision)
    if (decision.status === 'rejected') return Promise.reject(new RejectedError(decision))
    return run.wait(decision)
  }

  /** Waits for a permit that the caller settles. Rejects as `run` does. */
  acquire(options: RunOptions = plainArrival): Promise<Permit> {
    if (options.signal?.aborted) return this.#leftBefore(options.signal)
    const run = new Run<Permit>(this, undefined, options)
    let decision: Decision
    try {
      decision = this.offer(options, run)
    } catch (error) {
      return Promise.reject(error)
    }
    if (decision.status === 'admitted') return Promise.resolve(decision)
    if (decision.status === 'rejected') return Promise.reject(new RejectedError(decision))
    return run.wait(decision)
  }

  /** Runs work that yields. The permit comes back when the iteration ends in any way, an early `break` too. */
  async *iterate<T>(
    work: (permit: Permit) => Iterable<T> | AsyncIterable<T>,
    options: RunOptions = plainArrival,
  ): AsyncGenerator<T, void, undefined> {
    const permit = await this.acquire(options)
    // Until the end is reached nothing is known of the work: a caller who breaks off has left.
    let settle = (): void => void permit.cancel()
    try {
      yield* work(permit)
      settle = () => settleDone(permit, options)
    } catch (error) {
      settle = () => {}
      throw settleFailed(permit, options, error)
    } finally {
      settle()
    }
  }

  /**
   * Stops admitting, serves what waits, lets what runs end, and refuses (`closing`) whoever still waits after
   * `graceMs` (default 10 000). Never rejects; may be called twice.
   */
  drain({ graceMs = 10_000 }: { readonly graceMs?: number } = {}): Promise<DrainResult> {
    return new Promise((resolve) => this.close(graceMs, resolve))
  }

  /** Calls `work` with `permit` marked as held, so that calls of this door from inside do not wait for it. */
  hold<T>(permit: Permit, work: (permit: Permit) => T): T {
    if (!this.full) return work(permit)
    this.#holding ??= new AsyncLocalStorage()
    return this.#holding.run(permit, work, permit)
  }

  #heldPermit(): Permit | undefined {
    const held = this.#holding?.getStore()
    return held === undefined || held.ended ? undefined : held
  }

  #leftBefore(signal: AbortSignal): Promise<never> {
    this.tally.offered++
    this.tally.cancelled++
    return Promise.reject(signal.reason)
  }
}

// One call of run or acquire: the waiter while it waits, the settling when it runs.
class Run<T> implements Waiter {
  readonly #door: Door
  readonly #work: ((permit: Permit) => T | PromiseLike<T>) | undefined
  readonly #options: RunOptions
  // Set while it waits. Work that was handed a slot must not run in the async context of whoever gave the slot back.
  #context: AsyncResource | undefined
  #resolve: ((value: Awaited<T> | Promise<Awaited<T>>) => void) | undefined
  #reject: ((error: unknown) => void) | undefined
  #stopListening: (() => void) | undefined

  constructor(door: Door, work: ((permit: Permit) => T | PromiseLike<T>) | undefined, options: RunOptions) {
    this.#door = door
    this.#work = work
    this.#options = options
  }

  start(permit: Permit): Promise<Awaited<T>> {
    let result: T | PromiseLike<T>
    try {
      result = this.#door.hold(permit, this.#work as (permit: Permit) => T | PromiseLike<T>)
    } catch (error) {
      return Promise.reject(settleFailed(permit, this.#options, error))
    }
    if (!isThenable(result)) {
      settleDone(permit, this.#options)
      return Promise.resolve(result) as Promise<Awaited<T>>
    }
    // Not every thenable returns a promise from its then().
    return Promise.resolve(result).then(
      (value) => {
        settleDone(permit, this.#options)
        return value
      },
      (error: unknown) => {
        throw settleFailed(permit, this.#options, error)
      },
    ) as Promise<Awaited<T>>
  }

  /** The promise of a run that waits with this ticket. */
  wait(ticket: Ticket): Promise<Awaited<T>> {
    return new Promise((resolve, reject) => {
      if (this.#work !== undefined) this.#context = new AsyncResource('SPILLWAY_WAIT')
      this.#resolve = resolve
      this.#reject = reject
      const signal = this.#options.signal
      if (signal === undefined) return
      const onAbort = (): void => {
        this.#stopListening?.()
        if (ticket.leave()) reject(signal.reason)
      }
      signal.addEventListener('abort', onAbort)
      // A listener left behind on a long-lived signal is a leak per call (case C57).
      this.#stopListening = () => signal.removeEventListener('abort', onAbort)
      // An observer that was told of the wait may have aborted it.
      if (signal.aborted) onAbort()
    })
  }

  admitted(permit: Permit): void {
    this.#stopListening?.()
    // Without work the permit itself is what was waited for: then T is Permit.
    if (this.#context === undefined) this.#resolve?.(permit as Awaited<T>)
    else this.#resolve?.(this.#context.runInAsyncScope(this.start, this, permit))
  }

  rejected(rejection: Rejection): void {
    this.#stopListening?.()
    this.#reject?.(new RejectedError(rejection))
  }
}

// Work that was done for a caller who has left is cancelled: goodput counts only whose caller still waited.
function settleDone(permit: Permit, { signal }: RunOptions): void {
  if (signal?.aborted) permit.cancel()
  else permit.settle('success')
}

// Returns what the caller is to see: the error, or what the user's own rule about errors threw. The slot comes back anyway.
function settleFailed(permit: Permit, { signal, outcomeOf }: RunOptions, error: unknown): unknown {
  if (signal?.aborted && outcomeOf === undefined) {
    permit.cancel()
    return error
  }
  try {
    permit.settle((outcomeOf ?? outcomeOfError)(error))
    return error
  } catch (fault) {
    permit.settle('ignored')
    return fault
  }
}

function isThenable<T>(value: T | PromiseLike<T>): value is PromiseLike<T> {
  return typeof (value as PromiseLike<T> | undefined)?.then === 'function'
}

function asPromise<T>(work: (permit: Permit) => T | PromiseLike<T>, permit: Permit): Promise<Awaited<T>> {
  try {
    return Promise.resolve(work(permit)) as Promise<Awaited<T>>
  } catch (error) {
    return Promise.reject(error)
  }
}
