// What callers tell us about a request. Every value is text from outside, so each has a grammar, and what does not fit is
// ignored and counted, never NaN, never a crash, never a way around the door. docs/reference/headers.md has the table.
//
//   x-request-timeout-ms            remaining time, ms: digits, perhaps a fraction; 0 is expired        (preferred)
//   grpc-timeout                    1 to 8 digits and a unit of H M S m u n (gRPC over HTTP/2)
//   x-envoy-expected-rq-timeout-ms  digits
//   x-request-deadline              ms since the epoch; trusted only as far as clocks can be
//   x-request-start                 when a proxy received it: s, ms or µs since the epoch, perhaps after "t="
//   x-request-attempt               digits: 1 for the first attempt
//   x-criticality                   one of the four classes; from trusted peers only
//
// What does not fit counts as absent: the next header in the order of preference applies, at last the default. A header
// given twice is a list, and no list fits.

import { type Criticality, parseCriticality } from '../core/criticality.ts'
import type { Runtime } from '../core/runtime.ts'
import { WindowMinimum } from '../structures/window-minimum.ts'
import type { ServedExchange } from './exchange.ts'
import type { TrustedPeers } from './trusted-peers.ts'

/** The headers that are read, in order of preference for the deadline. */
export const headersIn = [
  'x-request-timeout-ms',
  'grpc-timeout',
  'x-envoy-expected-rq-timeout-ms',
  'x-request-deadline',
  'x-request-start',
  'x-request-attempt',
  'x-criticality',
] as const

type HeaderIn = (typeof headersIn)[number]

/** How often a header was not used. */
export interface HeaderCounts {
  /** Did not fit its grammar, or was there twice. */
  malformed: number
  /** An absolute time that our clock cannot make sense of. */
  skewed: number
  /** A criticality from a peer that is not trusted. */
  untrusted: number
}

/** A remaining time above a day is no deadline; it is clamped. */
const REMAINING_MAX_MS = 86_400_000
// How long an offset between two clocks is remembered. A step of a clock is believed after at most twice as long.
const OFFSET_SPAN_MS = 60_000
const grpcUnitsMs: Record<string, number> = { H: 3_600_000, M: 60_000, S: 1000, m: 1, u: 1e-3, n: 1e-6 }
// By length, then by the last letter: almost every header of a request is told apart from ours at a glance. No two of ours
// have the same length.
const nameByLength: (HeaderIn | undefined)[] = Array.from({ length: 64 }, (_, length) =>
  headersIn.find((name) => name.length === length),
)
// ASCII letters differ from their upper case in this bit.
const CASE_BIT = 0x20

/** What the headers of one request said. Overwritten by the next `read`. */
export class HeaderReader {
  readonly counts: HeaderCounts = { malformed: 0, skewed: 0, untrusted: 0 }
  /** Time left, ms, or undefined when nobody said. */
  remainingMs: number | undefined
  /** How long it had waited before we saw it, ms, as far as a trusted proxy lets us know. */
  hiddenMs = 0
  attempt: number | undefined
  criticality: Criticality | undefined
  readonly #smallestAge = new WindowMinimum(OFFSET_SPAN_MS)
  readonly #values = new Map<HeaderIn, string>()

  /** Reads the headers of a request. False when none of ours is there, the common case: nothing was said then. */
  read(exchange: ServedExchange, trustedPeers: TrustedPeers, runtime: Runtime): boolean {
    this.remainingMs = undefined
    this.hiddenMs = 0
    this.attempt = undefined
    this.criticality = undefined
    if (!this.#collect(exchange.rawHeaders)) return false
    // Whether the peer may set its criticality and the time it received the request.
    const trusted = trustedPeers.includes(exchange.peerAddress)
    const wallNow = runtime.wallNow()
    this.#readCriticality(trusted)
    this.#readAttempt()
    const startedAt = this.#readStart(wallNow)
    this.remainingMs = this.#readRemaining(startedAt, wallNow)
    if (startedAt === undefined || !trusted) return true
    // Clocks differ, so an age alone means nothing; but nobody's request is older than the difference to the youngest of
    // the last minute. That much it has waited where we could not see it.
    const age = wallNow - startedAt
    this.hiddenMs = age - this.#smallestAge.record(age, runtime.now())
    return true
  }

  #collect(rawHeaders: readonly string[]): boolean {
    let found = false
    for (let index = 0; index < rawHeaders.length; index += 2) {
      const raw = rawHeaders[index] as string
      const name = nameByLength[raw.length]
      if (name === undefined || !isSpelling(raw, name)) continue
      if (!found) this.#values.clear()
      found = true
      const value = rawHeaders[index + 1] as string
      const earlier = this.#values.get(name)
      // A header given twice reads as a list, which no grammar below accepts.
      this.#values.set(name, earlier === undefined ? value.trim() : `${earlier},${value}`)
    }
    return found
  }

  #readRemaining(startedAt: number | undefined, wallNow: number): number | undefined {
    return (
      this.#parsed('x-request-timeout-ms', parseTimeout) ??
      this.#parsed('grpc-timeout', parseGrpcTimeout) ??
      this.#parsed('x-envoy-expected-rq-timeout-ms', parseTimeout) ??
      this.#readDeadline(startedAt, wallNow)
    )
  }

  // An absolute deadline. With the time of the start from the same clock the difference is free of skew. Without it, one
  // that has passed, or lies more than a day ahead, is more likely a wrong clock than a request sent for nothing: the
  // default then applies, because a clock that is off must not turn every request away (case C61).
  #readDeadline(startedAt: number | undefined, wallNow: number): number | undefined {
    const deadline = this.#parsed('x-request-deadline', parseMs)
    if (deadline === undefined) return undefined
    const remainingMs = deadline - (startedAt ?? wallNow)
    if (remainingMs > 0 && remainingMs <= REMAINING_MAX_MS) return remainingMs
    this.counts.skewed++
    return undefined
  }

  // Seconds, ms or µs since the epoch, told apart by size: in this century they are 1e9, 1e12 and 1e15.
  #readStart(wallNow: number): number | undefined {
    const value = this.#parsed('x-request-start', (text) => parseMs(text.startsWith('t=') ? text.slice(2) : text))
    if (value === undefined) return undefined
    const startedAt = value < 1e11 ? value * 1000 : value < 1e14 ? value : value / 1000
    if (Math.abs(wallNow - startedAt) <= REMAINING_MAX_MS) return startedAt
    this.counts.skewed++
    return undefined
  }

  #readAttempt(): void {
    this.attempt = this.#parsed('x-request-attempt', parseAttempt)
  }

  #readCriticality(trusted: boolean): void {
    if (!this.#values.has('x-criticality')) return
    if (trusted) this.criticality = this.#parsed('x-criticality', parseCriticality)
    else this.counts.untrusted++
  }

  #parsed<T>(name: HeaderIn, parse: (text: string) => T | undefined): T | undefined {
    const text = this.#values.get(name)
    if (text === undefined) return undefined
    const value = parse(text)
    if (value === undefined) this.counts.malformed++
    return value
  }
}

// In any case of its letters; the same length is given.
function isSpelling(raw: string, name: HeaderIn): boolean {
  if (raw === name) return true
  const last = name.length - 1
  return (raw.charCodeAt(last) | CASE_BIT) === name.charCodeAt(last) && raw.toLowerCase() === name
}

function parseAttempt(text: string): number | undefined {
  return /^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined
}

/** Digits, perhaps a fraction: no sign, exponent, list or unit. */
export function parseMs(text: string): number | undefined {
  return /^\d{1,16}(\.\d{1,9})?$/.test(text) ? Number(text) : undefined
}

function parseTimeout(text: string): number | undefined {
  const ms = parseMs(text)
  return ms === undefined ? undefined : Math.min(ms, REMAINING_MAX_MS)
}

/** `grpc-timeout`, in ms: 1 to 8 digits and a unit, case-sensitive. */
export function parseGrpcTimeout(text: string): number | undefined {
  const match = /^(\d{1,8})([HMSmun])$/.exec(text)
  if (match === null) return undefined
  return Math.min(Number(match[1]) * (grpcUnitsMs[match[2] as string] as number), REMAINING_MAX_MS)
}
