// Watches a run and writes its record: every logical request from its intended start to its end, every attempt on the way.

import { LogLinearHistogram } from '../structures/log-linear-histogram.ts'
import type { GroupCount, Latencies, Phase, PhaseLatencies } from '../verdict/run-record.ts'
import type { AttemptObserver, Outcome } from './client.ts'
import type { Answer } from './contract.ts'
import { GroupBook } from './group-book.ts'
import type { Request, RequestEnding } from './request.ts'
import type { GroupAccount, RequestFacts, Scenario } from './scenario.ts'
import { Series } from './series.ts'

type LatencyKind = keyof PhaseLatencies

export class Recorder implements AttemptObserver {
  readonly series: Series
  readonly phases: readonly Phase[]
  /** When the last phase ends, ms. */
  readonly lengthMs: number
  /** Requests that were made, and attempts; measured ones only. */
  requests = 0
  attempts = 0
  readonly #endings: Record<RequestEnding, number> = { good: 0, late: 0, rejected: 0, failed: 0 }
  readonly #timeouts: Uint32Array
  readonly #histograms: (LogLinearHistogram | undefined)[]
  readonly #whole: GroupBook
  readonly #byCriticality = new Map<string, GroupBook>()
  readonly #byTenant = new Map<string, GroupBook>()
  readonly #groups = new Map<string, GroupBook>()
  readonly #groupOf: Scenario['groupOf']
  #phase = 0

  constructor(scenario: Scenario, forPictures: boolean) {
    this.phases = phasesOf(scenario)
    this.lengthMs = this.phases.at(-1)?.toMs ?? 0
    this.series = new Series(this.lengthMs, scenario.intervalMs ?? 100, forPictures)
    this.#timeouts = new Uint32Array(this.phases.length)
    this.#histograms = new Array<LogLinearHistogram | undefined>(4 * this.phases.length).fill(undefined)
    this.#whole = new GroupBook(this.phases.length, false)
    this.#groupOf = scenario.groupOf
  }

  /** The phase of an instant that does not go back from call to call. */
  phaseAt(atMs: number): number {
    while (this.#phase < this.phases.length - 1 && atMs >= (this.phases[this.#phase] as Phase).toMs) this.#phase++
    return this.#phase
  }

  /** A request was made. */
  offered(request: Request, traffic: string): void {
    const { phase, tenant, criticality, class: className, intendedAt } = request
    this.requests++
    this.series.offered(intendedAt)
    this.#whole.offered(phase)
    if (criticality !== undefined) request.criticalityBook = this.#book(this.#byCriticality, criticality, phase, false)
    if (tenant !== undefined) request.tenantBook = this.#book(this.#byTenant, tenant, phase, false)
    if (this.#groupOf === undefined) return
    const facts: RequestFacts = { traffic, class: className, tenant, criticality, intendedAt }
    const group = this.#groupOf(facts)
    if (group !== undefined) request.groupBook = this.#book(this.#groups, group, phase, true)
  }

  sent(_request: Request, _attempt: number, now: number): void {
    this.attempts++
    this.series.attempted(now)
  }

  refused(request: Request, reason: Answer, tookMs: number, now: number): void {
    this.series.refused(reason, now)
    this.#histogram(request.phase, 2).record(tookMs)
  }

  /** A request has ended for its client. */
  ended(request: Request, outcome: Outcome, now: number): void {
    const latencyMs = now - request.intendedAt
    const ending = endingOf(outcome, latencyMs, request.deadlineMs)
    const { phase } = request
    this.#endings[ending]++
    if (outcome === 'timeout') this.#timeouts[phase] = (this.#timeouts[phase] as number) + 1
    this.series.ended(ending, request.intendedAt, latencyMs)
    this.#whole.ended(phase, ending, latencyMs)
    if (ending !== 'rejected') this.#histogram(phase, kinds.indexOf(ending)).record(latencyMs)
    request.criticalityBook?.ended(phase, ending, latencyMs)
    request.tenantBook?.ended(phase, ending, latencyMs)
    request.groupBook?.ended(phase, ending, latencyMs)
  }

  /** Requests that nobody answered by the end of the run; from here on they count as late. Returns how many. */
  close(): number {
    const { good, late, rejected, failed } = this.#endings
    const pending = this.requests - good - late - rejected - failed
    if (pending === 0) return 0
    this.#endings.late += pending
    this.series.endAll()
    for (const book of [this.#whole, ...this.#books()]) book.endAll()
    this.phases.forEach((_, phase) => {
      this.#timeouts[phase] = (this.#timeouts[phase] as number) + this.#whole.pendingAtEnd(phase)
    })
    return pending
  }

  /** What does not add up, in words. */
  faults(): readonly string[] {
    const { good, late, rejected, failed } = this.#endings
    const sums = { offered: 0, ended: 0 }
    for (const interval of this.series.intervals()) {
      sums.offered += interval.offered
      sums.ended += interval.good + interval.late + interval.rejected + interval.failed
    }
    const faults: string[] = []
    if (good + late + rejected + failed !== this.requests)
      faults.push(`${this.requests} requests were made and ${good + late + rejected + failed} ended`)
    if (sums.offered !== this.requests || sums.ended !== this.requests)
      faults.push(`the intervals hold ${sums.offered} requests and ${sums.ended} endings of ${this.requests}`)
    return faults
  }

  latencies(): Readonly<Record<string, PhaseLatencies>> {
    const of = (phase: number, kind: LatencyKind): Latencies =>
      latenciesOf(this.#histograms[4 * phase + kinds.indexOf(kind)])
    return Object.fromEntries(
      this.phases.map(({ name }, phase) => [
        name,
        {
          good: of(phase, 'good'),
          late: of(phase, 'late'),
          rejected: of(phase, 'rejected'),
          failed: of(phase, 'failed'),
        },
      ]),
    )
  }

  timeouts(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.phases.map(({ name }, phase) => [name, this.#timeouts[phase] as number]))
  }

  byCriticality(): readonly GroupCount[] {
    return this.#counts(this.#byCriticality)
  }

  byTenant(): readonly GroupCount[] {
    return this.#counts(this.#byTenant)
  }

  groups(): Readonly<Record<string, readonly GroupAccount[]>> {
    return Object.fromEntries(
      [...this.#groups].map(([group, book]) => [group, this.phases.map(({ name }, phase) => book.of(phase, name))]),
    )
  }

  #counts(books: ReadonlyMap<string, GroupBook>): readonly GroupCount[] {
    return [...books].flatMap(([group, book]) =>
      this.phases.map(({ name }, phase) => {
        const { offered, good } = book.of(phase, name)
        return { phase: name, group, offered, good }
      }),
    )
  }

  #books(): readonly GroupBook[] {
    return [...this.#byCriticality.values(), ...this.#byTenant.values(), ...this.#groups.values()]
  }

  #book(books: Map<string, GroupBook>, name: string, phase: number, keepsLatencies: boolean): GroupBook {
    let book = books.get(name)
    if (book === undefined) {
      book = new GroupBook(this.phases.length, keepsLatencies)
      books.set(name, book)
    }
    book.offered(phase)
    return book
  }

  #histogram(phase: number, kind: number): LogLinearHistogram {
    const place = 4 * phase + kind
    const known = this.#histograms[place]
    if (known !== undefined) return known
    const made = new LogLinearHistogram()
    this.#histograms[place] = made
    return made
  }
}

const kinds: readonly LatencyKind[] = ['good', 'late', 'rejected', 'failed']

function endingOf(outcome: Outcome, latencyMs: number, deadlineMs: number): RequestEnding {
  if (outcome === 'ok') return latencyMs <= deadlineMs ? 'good' : 'late'
  return outcome === 'timeout' ? 'late' : outcome
}

function latenciesOf(histogram: LogLinearHistogram | undefined): Latencies {
  return {
    count: histogram?.count ?? 0,
    meanMs: histogram?.mean,
    p50Ms: histogram?.quantile(0.5),
    p90Ms: histogram?.quantile(0.9),
    p99Ms: histogram?.quantile(0.99),
    maxMs: histogram?.max,
  }
}

function phasesOf({ phases, capacityPerS }: Scenario): readonly Phase[] {
  let fromMs = 0
  return phases.map((phase) => {
    const toMs = fromMs + phase.lengthMs
    const made = {
      name: phase.name,
      fromMs,
      toMs,
      multiple: phase.multiple,
      capacityPerS: phase.capacityPerS ?? capacityPerS,
    }
    fromMs = toMs
    return made
  })
}
