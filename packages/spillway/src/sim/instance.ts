// One running instance of a service: its process, what stands before it, its plant, and everyone inside.

import type { Outcome } from '../core/sample.ts'
import type { VirtualRuntime } from '../runtime/virtual.ts'
import { LinkedList } from '../structures/linked-list.ts'
import type { RequestKind } from '../workload/mix.ts'
import type { Attempt, Callee, Caller, Departure } from './contract.ts'
import type { Entrance } from './entrance.ts'
import { plantOf } from './plant/index.ts'
import type { Plant } from './plant/plant.ts'
import type { Policy } from './policy.ts'
import type { LoopTarget } from './process.ts'
import { Process } from './process.ts'
import type { Request } from './request.ts'
import type { ServicePlan } from './scenario.ts'
import type { CallEnding, ServiceBooks } from './service-books.ts'
import type { StepRun } from './step.ts'
import { Visit } from './visit.ts'

// Linux gives a fresh connection about this much room, bytes: what fits needs no reader.
const SOCKET_BUFFER_BYTES = 16_384
const REQUEST_BYTES = 16_384

/** What all instances of a service share. */
export interface InstanceContext {
  readonly name: string
  readonly plan: ServicePlan
  readonly policy: Policy
  readonly steps: readonly StepRun[]
  readonly probeSteps: readonly StepRun[]
  readonly books: ServiceBooks
  readonly world: VirtualRuntime
  /** Makes what stands before a new process. */
  readonly entranceOf: (process: Process, instance: number) => Entrance | undefined
}

const nobody: Departure = { leave: () => {} }

export class Instance implements Callee {
  readonly number: number
  readonly world: VirtualRuntime
  readonly books: ServiceBooks
  readonly steps: readonly StepRun[]
  readonly leaving: 'works-on' | 'stops' | 'breaks-off'
  readonly writeHoldMaxMs: number
  readonly responseBytes: number
  /** Synchronous work to take a request in, and to refuse one, ms. */
  readonly readMs: number
  readonly refuseMs: number
  readonly process: Process
  readonly plant: Plant
  readonly entrance: Entrance | undefined
  readonly #context: InstanceContext
  readonly #visits = new LinkedList<Visit>()
  readonly #requestBytes: number
  readonly #startedAt: number
  // Factors of every slow-down that is on; speed is exactly the usual one again when none is.
  readonly #slowness: number[] = []
  #letIn = 0
  #hasExited = false

  constructor(number: number, context: InstanceContext) {
    const { plan, policy } = context
    this.number = number
    this.#context = context
    this.world = context.world
    this.books = context.books
    this.steps = context.steps
    this.leaving = policy.leaving ?? 'works-on'
    this.writeHoldMaxMs = policy.writeHoldMaxMs ?? Infinity
    this.responseBytes = plan.responseBytes ?? 0
    const loop = plan.plant.kind === 'loop' ? plan.plant : undefined
    this.readMs = (loop?.readMs ?? 0) + (loop?.connections === 'fresh' ? (loop.acceptMs ?? 0) : 0)
    this.refuseMs = loop?.refuseMs ?? 0
    this.#requestBytes = plan.requestBytes ?? REQUEST_BYTES
    this.#startedAt = context.world.now()
    this.process = new Process(context.world, `${context.name}/${number}`)
    this.plant = plantOf(plan.plant, { world: context.world, process: this.process })
    this.entrance = context.entranceOf(this.process, number)
  }

  /** Calls inside, wherever they are. */
  get inside(): number {
    return this.#visits.size
  }

  /** Whether it answers at all. */
  get serving(): boolean {
    return !this.#hasExited
  }

  /** In line somewhere: before the process, at the entrance, before the plant. */
  get waiting(): number {
    return this.#visits.size - this.running
  }

  /** Calls that were let in and do not wait for the plant. */
  get running(): number {
    return this.#letIn - this.plant.waiting
  }

  call(attempt: Attempt, caller: Caller): Departure {
    if (this.#hasExited || this.#overflows()) {
      this.books.dropped++
      // A connection that is refused is heard of; one that is dropped is not.
      if (this.#hasExited) this.#refuseConnection(caller)
      return nobody
    }
    if (attempt.attempt === 1) this.books.firstAttempts++
    const now = this.world.now()
    const visit = new Visit(this, attempt, caller, now)
    this.books.arrive(now)
    this.books.hold(this.#requestBytes)
    this.#visits.push(visit)
    visit.arrive()
    return visit
  }

  /** Hands an event of a call that comes over a connection to the loop. Called by a visit that arrives. */
  receive(target: LoopTarget, what: number): void {
    const { plant } = this.#context.plan
    if (plant.kind === 'loop' && plant.connections === 'fresh') this.process.connect(target, what)
    else this.process.deliver(target, what)
  }

  /** A visit was let in. */
  letIn(visit: Visit): void {
    visit.released = false
    this.#letIn++
  }

  /** A visit is over: called once for each. */
  forget(visit: Visit, ending: CallEnding): void {
    this.#visits.remove(visit)
    this.books.hold(-this.#requestBytes)
    this.books.end(ending, visit.arrivedAt, this.world.now())
  }

  /** A visit that was let in gives back what it holds; what was given back already stays so. */
  letGo(visit: Visit, outcome: Outcome): void {
    this.plant.release?.(visit)
    if (visit.released) return
    visit.released = true
    this.#letIn--
    this.entrance?.end(visit, outcome)
  }

  writeMsOf({ readsBytesPerS }: RequestKind): number {
    if (readsBytesPerS === undefined) return 0
    const unread = this.responseBytes - (this.#context.plan.socketBufferBytes ?? SOCKET_BUFFER_BYTES)
    return Math.max(0, (unread / readsBytesPerS) * 1000)
  }

  /** Steps of a request; a health check only works a little. */
  stepsFor({ index }: Request): readonly StepRun[] {
    return index < 0 ? this.#context.probeSteps : this.steps
  }

  /** Slot-time used since it started, and slot-time there was, ms. */
  usage(now: number): { readonly busyMs: number; readonly slotMs: number } {
    return { busyMs: this.plant.busyMs(now), slotMs: (this.plant.slots ?? 0) * (now - this.#startedAt) }
  }

  /** Work that starts from now on takes so many times longer, until `speedUp` with the same factor. */
  slowDown(factor: number): void {
    this.#slowness.push(factor)
    this.#setSlowness()
  }

  speedUp(factor: number): void {
    const place = this.#slowness.indexOf(factor)
    if (place >= 0) this.#slowness.splice(place, 1)
    this.#setSlowness()
  }

  stop(): void {
    this.process.stop()
    this.plant.setStopped(true)
  }

  goOn(): void {
    this.process.goOn()
    this.plant.setStopped(false)
  }

  /** Drains: what is inside ends, nothing new is admitted; then, or when the grace period is over, it exits. */
  shutDown(graceMs: number, whenOver: () => void): void {
    if (this.entrance === undefined) {
      this.kill()
      whenOver()
      return
    }
    this.entrance.close(graceMs, () => {
      this.kill()
      whenOver()
    })
  }

  /** Ends the process at once. What is inside fails. */
  kill(): void {
    if (this.#hasExited) return
    this.#hasExited = true
    this.process.kill()
    for (let visit = this.#visits.first; visit !== undefined; visit = this.#visits.first) visit.cutOff()
  }

  #setSlowness(): void {
    this.plant.setSlowness(this.#slowness.reduce((product, factor) => product * factor, 1))
  }

  #overflows(): boolean {
    const { plant } = this.#context.plan
    return plant.kind === 'loop' && plant.connections === 'fresh' && this.process.backlog >= (plant.backlog ?? 511)
  }

  #refuseConnection(caller: Caller): void {
    this.books.answered++
    caller.answered('failed', undefined)
  }
}
