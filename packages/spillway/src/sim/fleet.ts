// All instances of one service: how many there are, what is wrong with them now, who restarts them and who adds more.

import { Autoscaler } from './autoscaler.ts'
import type { Balancer } from './balancer.ts'
import type { Attempt, Callee, Caller, Departure } from './contract.ts'
import { HealthChecks } from './health.ts'
import type { Instance, InstanceContext } from './instance.ts'
import type { ServiceBooks } from './service-books.ts'
import type { World } from './world.ts'

/** Something that is wrong with instances for a while: new ones are hit too. */
export interface Condition {
  /** Number of the instance; undefined: all. */
  readonly instance: number | undefined
  apply(instance: Instance): void
  undo(instance: Instance): void
}

export class Fleet implements Callee {
  readonly books: ServiceBooks
  readonly world: World
  readonly #balancer: Balancer
  readonly #make: (number: number) => Instance
  readonly #conditions = new Set<Condition>()
  readonly #health: HealthChecks | undefined
  readonly #startUpMs: number
  readonly #coldStart: { readonly factor: number; readonly lengthMs: number } | undefined
  #instances: Instance[] = []
  // Instances that are on their way up, by number.
  readonly #starting = new Set<number>()
  // Usage and counts of instances that are no more.
  #pastBusyMs = 0
  #pastSlotMs = 0
  #pastOffered = 0
  #pastRejected = 0
  readonly #pastFaults: string[] = []

  constructor(context: InstanceContext, balancer: Balancer, make: (number: number) => Instance, world: World) {
    const { plan, policy } = context
    this.books = context.books
    this.world = world
    this.#balancer = balancer
    this.#make = make
    this.#startUpMs = plan.fleet?.startUpMs ?? 0
    this.#coldStart = plan.fleet?.coldStart
    for (let number = 0; number < (plan.fleet?.replicas ?? 1); number++) this.#instances.push(make(number))
    balancer.setInstances(this.#instances)
    const health = plan.fleet?.health
    if (health !== undefined) this.#health = new HealthChecks(policy.health?.(health) ?? health, this)
    if (plan.fleet?.autoscaler !== undefined) new Autoscaler(plan.fleet.autoscaler, this).start()
    for (const instance of this.#instances) this.#health?.watch(instance)
  }

  get instances(): readonly Instance[] {
    return this.#instances
  }

  /** Instances there are or will be. */
  get size(): number {
    return this.#instances.length + this.#starting.size
  }

  /** A service that is no fleet: there is one instance, or nobody. */
  call(attempt: Attempt, caller: Caller): Departure {
    const instance = this.#instances[0]
    return instance === undefined ? this.#balancer.call(attempt, caller) : instance.call(attempt, caller)
  }

  impose(condition: Condition): void {
    this.#conditions.add(condition)
    for (const instance of this.#hitBy(condition)) condition.apply(instance)
  }

  lift(condition: Condition): void {
    this.#conditions.delete(condition)
    for (const instance of this.#hitBy(condition)) condition.undo(instance)
  }

  /** Does something to every instance, or to the one of that number. */
  each(number: number | undefined, act: (instance: Instance) => void): void {
    for (const instance of [...this.#instances]) if (number === undefined || instance.number === number) act(instance)
  }

  /** Ends an instance at once and starts it again. */
  restart(instance: Instance, startUpMs = this.#startUpMs): void {
    if (!this.#instances.includes(instance)) return
    this.books.restarts++
    this.#remove(instance)
    instance.kill()
    this.#bury(instance)
    this.startOne(instance.number, startUpMs)
  }

  /** Starts an instance that serves after its start-up time. */
  startOne(number: number, startUpMs = this.#startUpMs): void {
    this.#starting.add(number)
    this.world.setTimer(() => this.#onStarted(number), startUpMs)
  }

  /** Takes an instance away for good: it drains, and what is not done by then is lost. */
  retire(instance: Instance, graceMs: number): void {
    const signalledAt = this.world.now()
    if (this.#instances.length > 1) this.#remove(instance)
    instance.shutDown(graceMs, () => {
      this.books.drainMs = Math.max(this.books.drainMs ?? 0, this.world.now() - signalledAt)
      this.#remove(instance)
      this.#bury(instance)
    })
  }

  /** The lowest number that is not in use. */
  freeNumber(): number {
    const used = new Set([...this.#starting, ...this.#instances.map(({ number }) => number)])
    for (let number = 0; ; number++) if (!used.has(number)) return number
  }

  /** Slot-time used and slot-time there was, of all instances there ever were, ms. */
  usage(now: number): { readonly busyMs: number; readonly slotMs: number } {
    let [busyMs, slotMs] = [this.#pastBusyMs, this.#pastSlotMs]
    for (const instance of this.#instances) {
      const usage = instance.usage(now)
      busyMs += usage.busyMs
      slotMs += usage.slotMs
    }
    return { busyMs, slotMs }
  }

  /** Busy share of the slots over the whole run; undefined where nothing is scarce. */
  utilisation(now: number): number | undefined {
    const { busyMs, slotMs } = this.usage(now)
    return slotMs === 0 ? undefined : busyMs / slotMs
  }

  /** What the entrances say does not add up, in their own accounts and beside those of the service. */
  faults(): readonly string[] {
    const entrances = this.#instances.flatMap(({ entrance }) => entrance ?? [])
    const faults = [...this.#pastFaults, ...entrances.flatMap((entrance) => entrance.faults())]
    if (entrances.length === 0 && this.#pastOffered === 0) return faults
    const offered = entrances.reduce((sum, entrance) => sum + entrance.offered, this.#pastOffered)
    const rejected = entrances.reduce((sum, entrance) => sum + entrance.rejected, this.#pastRejected)
    if (offered !== this.books.offered)
      faults.push(`the entrances were offered ${offered} calls and the service sent them ${this.books.offered}`)
    if (rejected !== this.books.turnedAway)
      faults.push(`the entrances refused ${rejected} calls and the service knows of ${this.books.turnedAway}`)
    return faults
  }

  #hitBy({ instance }: Condition): readonly Instance[] {
    return this.#instances.filter(({ number }) => instance === undefined || instance === number)
  }

  #onStarted(number: number): void {
    if (!this.#starting.delete(number)) return
    const instance = this.#make(number)
    for (const condition of this.#conditions) {
      if (condition.instance === undefined || condition.instance === number) condition.apply(instance)
    }
    const cold = this.#coldStart
    if (cold !== undefined) {
      instance.slowDown(cold.factor)
      this.world.setTimer(() => instance.speedUp(cold.factor), cold.lengthMs)
    }
    this.#instances = [...this.#instances, instance]
    this.#balancer.setInstances(this.#instances)
    this.#health?.watch(instance)
  }

  #remove(instance: Instance): void {
    this.#instances = this.#instances.filter((other) => other !== instance)
    this.#balancer.setInstances(this.#instances)
  }

  #bury(instance: Instance): void {
    const { busyMs, slotMs } = instance.usage(this.world.now())
    this.#pastBusyMs += busyMs
    this.#pastSlotMs += slotMs
    this.#pastOffered += instance.entrance?.offered ?? 0
    this.#pastRejected += instance.entrance?.rejected ?? 0
    this.#pastFaults.push(...(instance.entrance?.faults() ?? []))
  }
}
