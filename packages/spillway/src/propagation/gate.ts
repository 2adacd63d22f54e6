// The door as HTTP sees it: reads what callers say about a request, offers it, and starts, queues or refuses it. Health
// checks pass beside the door, since an orchestrator that restarts a busy process makes the overload worse (case C25);
// streams are counted apart, since a stream of ten minutes is no request of ten minutes (case C37).

import type { Door } from '../core/admission-async.ts'
import { type Arrival, plainArrival } from '../core/arrival.ts'
import { type Criticality, criticalities } from '../core/criticality.ts'
import { Rejection } from '../core/decision.ts'
import type { Runtime, Timer } from '../core/runtime.ts'
import type { ServedExchange } from './exchange.ts'
import type { GateSettings } from './gate-options.ts'
import { type HeaderCounts, HeaderReader } from './headers.ts'
import { HealthCheck } from './health-check.ts'
import { isPathAmong } from './path.ts'
import { Served, type Work } from './served.ts'
import type { TrustedPeers } from './trusted-peers.ts'

/** What the gate counts beside the accounts of its door. */
export interface GateSnapshot {
  /** Streams open now: they hold no permit. */
  readonly streams: number
  /** Health checks running now, and how many were refused because too many ran. */
  readonly health: number
  readonly healthRefused: number
  /** Handlers running now for callers who have left. */
  readonly abandoned: number
  /** Refused callers who still send now: read and thrown away, within a bound, so that their answer reaches them. */
  readonly draining: number
  /** Headers that were not used, and functions of the user's that threw or returned nonsense. */
  readonly headers: Readonly<HeaderCounts>
  readonly labelErrors: number
}

// How often responses are looked at that are on their way. A caller who reads slowly holds a permit for two of these: at half a
// second two hundred of them took three of eight slots; halved, every pause of the network is taken for a slow reader.
const WRITE_SWEEP_MS = 100

export class Gate {
  readonly door: Door
  /** Handlers running for callers who have left. Counted by {@link Served}. */
  abandoned = 0
  /** Whether streams have been told to end. */
  goingAway = false
  readonly #settings: GateSettings
  readonly #runtime: Runtime
  readonly #trustedPeers: TrustedPeers
  readonly #headers = new HeaderReader()
  readonly #streamTypes: readonly string[]
  // Open streams that hold no permit: at most `streamsMax`.
  readonly #streams = new Set<Served>()
  // Responses whose head is out: as many as there are permits, and those that ended since the last look.
  readonly #writing = new Set<Served>()
  #sweep: Timer | undefined
  // Whether every arrival is the same unless its headers say more.
  readonly #unlabelled: boolean
  #health = 0
  #healthRefused = 0
  #labelErrors = 0

  constructor(door: Door, settings: GateSettings, trustedPeers: TrustedPeers, runtime: Runtime) {
    this.door = door
    this.#settings = settings
    this.#trustedPeers = trustedPeers
    const { keyOf, classOf, costOf, criticality } = settings
    this.#unlabelled = [keyOf, classOf, costOf, criticality].every((label) => label === undefined)
    this.#streamTypes = settings.streamTypes.map((type) => type.toLowerCase())
    this.#runtime = runtime
  }

  get closing(): boolean {
    return this.door.closing
  }

  get releaseAtResponse(): boolean {
    return this.#settings.release === 'response'
  }

  /** `draining` comes from the one who refuses. */
  snapshot(draining: number): GateSnapshot {
    return {
      streams: this.#streams.size,
      health: this.#health,
      healthRefused: this.#healthRefused,
      abandoned: this.abandoned,
      draining,
      headers: { ...this.#headers.counts },
      labelErrors: this.#labelErrors,
    }
  }

  /**
   * Serves one call: starts its work now or after a wait, or refuses it. Throws only what the work throws before it
   * returns, when it starts at once.
   */
  serve(exchange: ServedExchange, work: Work): void {
    if (this.#isHealthCheck(exchange)) {
      this.#serveHealth(exchange, work)
      return
    }
    const served = new Served(this, exchange, work)
    const decision = this.door.offer(this.#arrivalOf(exchange), served)
    if (decision.status === 'rejected') {
      served.rejected(decision)
      return
    }
    if (decision.status === 'waiting') {
      served.queued(decision)
      exchange.watch(served)
      return
    }
    try {
      served.begin(decision)
    } finally {
      // After the work has been started, since many a response is over by then, and listening costs as much as the door.
      exchange.watch(served)
    }
    served.follow()
  }

  isStream(contentType: string): boolean {
    return contentType !== '' && this.#streamTypes.some((type) => contentType.startsWith(type))
  }

  /** One more stream; false when there are as many as may be. */
  streamStarted(stream: Served): boolean {
    if (this.#streams.size >= this.#settings.streamsMax) return false
    this.#streams.add(stream)
    if (this.goingAway) stream.goAway()
    return true
  }

  /** Its response goes out: looked at now and then, until it is out or a stream. */
  writing(served: Served): void {
    this.#writing.add(served)
    this.#sweep ??= this.#runtime.setTimer(this.#onSweep, WRITE_SWEEP_MS, true)
  }

  readonly #onSweep = (): void => {
    for (const served of this.#writing) if (served.writes()) this.#writing.delete(served)
    this.#sweep = this.#writing.size > 0 ? this.#runtime.setTimer(this.#onSweep, WRITE_SWEEP_MS, true) : undefined
  }

  streamEnded(stream: Served): void {
    this.#streams.delete(stream)
  }

  /** Aborts the signal of every stream, open now or opened later, so that its handler ends it. */
  goAway(): void {
    this.goingAway = true
    for (const stream of this.#streams) stream.goAway()
  }

  /** Throws an error where nobody can catch it, as Node does with what a listener throws. */
  throwUncaught(error: unknown): void {
    this.#runtime.defer(() => {
      throw error
    })
  }

  // Exact, so that no spelling of another path passes for one of these.
  #isHealthCheck({ url, method }: ServedExchange): boolean {
    return isPathAmong(this.#settings.healthPaths, url) && (method === 'GET' || method === 'HEAD')
  }

  #serveHealth(exchange: ServedExchange, work: Work): void {
    const { healthMax } = this.#settings
    if (this.#health >= healthMax) {
      this.#healthRefused++
      exchange.refuse(new Rejection('capacity', 'door', healthMax, this.#health, 0, 0, 0, 1000))
      work.notStarted?.()
      return
    }
    this.#health++
    const check = new HealthCheck(this.closing, () => {
      this.#health--
    })
    check.start(exchange, work)
  }

  #arrivalOf(exchange: ServedExchange): Arrival {
    const headers = this.#headers
    const said = headers.read(exchange, this.#trustedPeers, this.#runtime)
    if (!said && this.#unlabelled) return plainArrival
    const { keyOf, classOf, costOf } = this.#settings
    return {
      key: keyOf === undefined ? undefined : this.#ask(keyOf, exchange, isName),
      class: classOf === undefined ? undefined : this.#ask(classOf, exchange, isName),
      criticality: this.#criticalityOf(exchange, headers.criticality),
      deadlineMs: this.#remainingMs(),
      cost: costOf === undefined ? undefined : this.#ask(costOf, exchange, isCost),
      attempt: headers.attempt,
    }
  }

  #remainingMs(): number | undefined {
    const { remainingMs, hiddenMs } = this.#headers
    if (hiddenMs === 0) return remainingMs
    return (remainingMs ?? this.door.deadlineMs) - hiddenMs
  }

  // The user's own rule comes before what the caller claims.
  #criticalityOf(exchange: ServedExchange, claimed: Criticality | undefined): Criticality | undefined {
    const { criticality } = this.#settings
    if (criticality === undefined) return claimed
    if (typeof criticality === 'string') return criticality
    return this.#ask(criticality, exchange, isCriticality) ?? claimed
  }

  // A label function that throws or returns nonsense must not turn a request away: it then goes unlabelled.
  #ask<T>(
    label: (exchange: ServedExchange) => T | undefined,
    exchange: ServedExchange,
    accepts: (value: unknown) => boolean,
  ): T | undefined {
    try {
      const value = label(exchange)
      if (value === undefined || accepts(value)) return value
    } catch (error) {
      this.#runtime.report(error)
    }
    this.#labelErrors++
    return undefined
  }
}

function isName(value: unknown): boolean {
  return typeof value === 'string' && value !== ''
}

function isCost(value: unknown): boolean {
  return typeof value === 'number' && value > 0 && value < Number.POSITIVE_INFINITY
}

function isCriticality(value: unknown): boolean {
  return (criticalities as readonly unknown[]).includes(value)
}
