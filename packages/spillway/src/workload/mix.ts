// Who asks for what: kinds of requests with their shares, and the tenants and criticalities they belong to. Every choice
// draws from a stream of its own, so that adding a tenant does not change which kinds arrive.

import { type Criticality, criticalities } from '../core/criticality.ts'
import type { Problems } from '../core/problems.ts'
import type { RandomStream } from '../core/runtime.ts'
import { power } from '../structures/portable-math.ts'
import { checkDistribution, type Distribution } from './distribution.ts'

/** A kind of request. Everything may be left out. */
export interface RequestKind {
  /** Its part of the arrivals, relative to the other kinds. Default 1. */
  readonly share?: number
  /** What the door keeps service times by, such as a route. */
  readonly class?: string
  readonly tenant?: string
  readonly criticality?: Criticality
  /** Units of the concurrency limit. Default 1. */
  readonly cost?: number
  /** Time from the intended start to the last useful answer, ms. Default: the scenario's. */
  readonly deadlineMs?: number
  /** Work it needs of a service, ms, by name of the service; where it says nothing, the service's own. */
  readonly workMs?: Readonly<Record<string, Distribution>>
  /** Work it needs everywhere, as a multiple of the usual. Default 1. */
  readonly workFactor?: number
  /** Speed at which its caller reads the response, bytes a second. Default: at once. */
  readonly readsBytesPerS?: number
}

/** Keys that requests ask for, the most popular first: popularity of key i is proportional to 1/iˢ with s = `skew`. */
export interface KeySpace {
  readonly count: number
  /** 0 is uniform, 1 is Zipf's law. Default 0. */
  readonly skew?: number
}

export interface Mix {
  /** Default: one plain kind. */
  readonly kinds?: readonly RequestKind[]
  /** Tenant → weight, for kinds that name none. */
  readonly tenants?: Readonly<Record<string, number>>
  /** Criticality → weight, for kinds that name none. */
  readonly criticalities?: Readonly<Partial<Record<Criticality, number>>>
  readonly keys?: KeySpace
}

/** Draws one of n things by weight. */
export class Choice {
  // Cumulative shares; the last is 1.
  readonly #upTo: Float64Array
  readonly #random: RandomStream

  constructor(weights: readonly number[], random: RandomStream) {
    const total = weights.reduce((sum, weight) => sum + weight, 0)
    let sum = 0
    this.#upTo = Float64Array.from(weights, (weight) => {
      sum += weight
      return sum / total
    })
    this.#upTo[weights.length - 1] = 1
    this.#random = random
  }

  /** The index of the thing that was drawn. One draw, also where there is no choice. */
  next(): number {
    const drawn = this.#random.next()
    let low = 0
    let high = this.#upTo.length - 1
    while (low < high) {
      const middle = (low + high) >> 1
      if (drawn < (this.#upTo[middle] as number)) high = middle
      else low = middle + 1
    }
    return low
  }
}

/** Shares of the keys of a space, the most popular first, adding up to 1. */
export function popularityOf({ count, skew = 0 }: KeySpace): readonly number[] {
  const weights = Array.from({ length: count }, (_, index) => (skew === 0 ? 1 : power(index + 1, -skew)))
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  return weights.map((weight) => weight / total)
}

/** What one request turned out to be. */
export interface Drawn {
  readonly kind: RequestKind
  readonly tenant: string | undefined
  readonly criticality: Criticality | undefined
  /** Index into the key space; 0 without one. */
  readonly key: number
}

/** Draws requests of one mix. */
export class MixDraw {
  readonly #kinds: readonly RequestKind[]
  readonly #kind: Choice | undefined
  readonly #tenants: readonly string[]
  readonly #tenant: Choice | undefined
  readonly #criticalities: readonly Criticality[]
  readonly #criticality: Choice | undefined
  readonly #key: Choice | undefined

  /** `stream` makes the random stream of a name. */
  constructor(mix: Mix, stream: (name: string) => RandomStream) {
    this.#kinds = mix.kinds ?? [{}]
    this.#tenants = Object.keys(mix.tenants ?? {})
    this.#criticalities = criticalities.filter((name) => mix.criticalities?.[name] !== undefined)
    const choice = (weights: readonly number[], name: string): Choice | undefined =>
      weights.length > 1 ? new Choice(weights, stream(name)) : undefined
    this.#kind = choice(
      this.#kinds.map(({ share }) => share ?? 1),
      'kind',
    )
    this.#tenant = choice(Object.values(mix.tenants ?? {}), 'tenant')
    this.#criticality = choice(
      this.#criticalities.map((name) => mix.criticalities?.[name] ?? 0),
      'criticality',
    )
    this.#key = mix.keys && choice(popularityOf(mix.keys), 'key')
  }

  next(): Drawn {
    const kind = this.#kinds[this.#kind?.next() ?? 0] as RequestKind
    const tenant = this.#tenants[this.#tenant?.next() ?? 0]
    const criticality = this.#criticalities[this.#criticality?.next() ?? 0]
    return {
      kind,
      tenant: kind.tenant ?? tenant,
      criticality: kind.criticality ?? criticality,
      key: this.#key?.next() ?? 0,
    }
  }
}

/** Complains about everything that is wrong with it. */
export function checkMix(mix: Mix, name: string, problems: Problems): void {
  const weight = 'a finite weight of 0 or more'
  const isWeight = (value: unknown): boolean => Number.isFinite(value) && (value as number) >= 0
  const isPositive = (value: unknown): boolean => Number.isFinite(value) && (value as number) > 0
  if (mix.kinds !== undefined && mix.kinds.length === 0)
    problems.add(`${name}.kinds`, 'a list of one or more kinds', [])
  mix.kinds?.forEach((kind, index) => {
    const at = `${name}.kinds[${index}]`
    if (!isWeight(kind.share ?? 1)) problems.add(`${at}.share`, weight, kind.share)
    for (const field of ['cost', 'deadlineMs', 'readsBytesPerS', 'workFactor'] as const) {
      if (!isPositive(kind[field] ?? 1)) problems.add(`${at}.${field}`, 'a finite number above 0', kind[field])
    }
    if (kind.criticality !== undefined && !criticalities.includes(kind.criticality))
      problems.add(`${at}.criticality`, `one of ${criticalities.join(', ')}`, kind.criticality)
    for (const [service, work] of Object.entries(kind.workMs ?? {}))
      checkDistribution(work, `${at}.workMs.${service}`, problems)
  })
  if (mix.kinds?.length && mix.kinds.every(({ share }) => share === 0))
    problems.say(`${name}.kinds must have a share above 0 somewhere`)
  for (const [tenant, value] of Object.entries(mix.tenants ?? {}))
    if (!isPositive(value)) problems.add(`${name}.tenants.${tenant}`, 'a finite weight above 0', value)
  for (const [criticality, value] of Object.entries(mix.criticalities ?? {})) {
    if (!criticalities.includes(criticality as Criticality))
      problems.add(`${name}.criticalities`, `weights for ${criticalities.join(', ')}`, criticality)
    else if (!isPositive(value)) problems.add(`${name}.criticalities.${criticality}`, 'a finite weight above 0', value)
  }
  if (mix.keys !== undefined && !(Number.isInteger(mix.keys.count) && mix.keys.count >= 1))
    problems.add(`${name}.keys.count`, 'a whole number from 1', mix.keys.count)
  if (!isWeight(mix.keys?.skew ?? 0)) problems.add(`${name}.keys.skew`, 'a finite number of 0 or more', mix.keys?.skew)
}
