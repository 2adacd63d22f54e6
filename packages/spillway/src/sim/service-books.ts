// The accounts of one service, all instances together. Two things must always hold and are checked in every run: every call
// that arrived has ended in one way or is still inside, and Little's law, the integral of the number inside over time
// equals the sum of all stays.

import type { ServiceAccount } from './scenario.ts'

/** How a call ended at a service: `left` because its caller had gone. */
export type CallEnding = 'done' | 'failed' | 'rejected' | 'left'

/** What one caller of a service counts on its own side. */
export interface CallerBook {
  sent: number
  answered: number
  left: number
}

export class ServiceBooks {
  arrived = 0
  /** Calls that were no retries of what was asked before. */
  firstAttempts = 0
  dropped = 0
  /** Calls offered to an entrance, and refused by one; an instance that is killed takes its own counts with it. */
  offered = 0
  turnedAway = 0
  /** Answers handed to callers who still waited. */
  answered = 0
  worked = 0
  workedForGone = 0
  workedMs = 0
  workedForGoneMs = 0
  cacheHits = 0
  cacheLookups = 0
  restarts = 0
  ejections = 0
  writeHoldMaxMs = 0
  /** Longest orderly stop, from the signal to the exit, ms; undefined when there was none. */
  drainMs: number | undefined = undefined
  checksAsked = 0
  checksFailed = 0
  /** Bytes of requests and unwritten responses, now and at most. */
  bytes = 0
  bytesMax = 0
  readonly callers: CallerBook[] = []
  readonly #ended: Record<CallEnding, number> = { done: 0, failed: 0, rejected: 0, left: 0 }
  #inside = 0
  // ∫ inside dt up to #integratedAt, and Σ (end − arrival) of those that ended, ms.
  #insideMs = 0
  #integratedAt = 0
  #staysMs = 0
  #arrivalsMs = 0
  #waits = 0
  #waitsMs = 0
  #waitMaxMs = 0

  get waitMaxMs(): number {
    return this.#waitMaxMs
  }

  /** An account for a caller to keep. */
  newCaller(): CallerBook {
    const book = { sent: 0, answered: 0, left: 0 }
    this.callers.push(book)
    return book
  }

  arrive(now: number): void {
    this.#integrate(now)
    this.#inside++
    this.arrived++
    this.#arrivalsMs += now
  }

  end(ending: CallEnding, arrivedAt: number, now: number): void {
    this.#integrate(now)
    this.#inside--
    this.#ended[ending]++
    this.#arrivalsMs -= arrivedAt
    this.#staysMs += now - arrivedAt
  }

  /** A wait ended, with work or a refusal. */
  wait(waitedMs: number): void {
    this.#waits++
    this.#waitsMs += waitedMs
    if (waitedMs > this.#waitMaxMs) this.#waitMaxMs = waitedMs
  }

  work(tookMs: number, forGone: boolean): void {
    this.worked++
    this.workedMs += tookMs
    if (!forGone) return
    this.workedForGone++
    this.workedForGoneMs += tookMs
  }

  hold(bytes: number): void {
    this.bytes += bytes
    if (this.bytes > this.bytesMax) this.bytesMax = this.bytes
  }

  /** What does not add up, in words. `onTheWay` and `back` are calls and answers that are still travelling. */
  faults(name: string, now: number, onTheWay: number, lostOrBack: number): readonly string[] {
    this.#integrate(now)
    const faults: string[] = []
    const { done, failed, rejected, left } = this.#ended
    if (this.arrived !== done + failed + rejected + left + this.#inside)
      faults.push(
        `${name}: ${this.arrived} calls arrived, ${done + failed + rejected + left} ended, ${this.#inside} are inside`,
      )
    const staysMs = this.#staysMs + this.#inside * now - this.#arrivalsMs
    if (Math.abs(staysMs - this.#insideMs) > 1e-6 * (1 + this.#insideMs))
      faults.push(
        `${name}: Little's law is broken, ∫ inside dt is ${this.#insideMs} ms and the stays add up to ${staysMs} ms`,
      )
    const sent = this.callers.reduce((sum, caller) => sum + caller.sent, 0)
    if (sent !== this.arrived + this.dropped + onTheWay)
      faults.push(
        `${name}: callers sent ${sent}, ${this.arrived} arrived, ${this.dropped} dropped, ${onTheWay} on the way`,
      )
    const heard = this.callers.reduce((sum, caller) => sum + caller.answered, 0)
    if (heard !== this.answered - lostOrBack)
      faults.push(`${name}: ${this.answered} answers were given and callers heard ${heard + lostOrBack}`)
    return faults
  }

  account(now: number, utilisation: number | undefined, replicas: number): ServiceAccount {
    this.#integrate(now)
    const { done, failed, rejected, left } = this.#ended
    const ended = done + failed + rejected + left
    return {
      arrived: this.arrived,
      done,
      failed,
      rejected,
      left,
      inside: this.#inside,
      dropped: this.dropped,
      worked: this.worked,
      workedForGone: this.workedForGone,
      workedMs: this.workedMs,
      workedForGoneMs: this.workedForGoneMs,
      waitMeanMs: this.#waits === 0 ? 0 : this.#waitsMs / this.#waits,
      waitMaxMs: this.#waitMaxMs,
      stayMeanMs: ended === 0 ? 0 : this.#staysMs / ended,
      insideMean: now === 0 ? 0 : this.#insideMs / now,
      utilisation,
      cacheHits: this.cacheHits,
      cacheLookups: this.cacheLookups,
      restarts: this.restarts,
      replicas,
      ejections: this.ejections,
      writeHoldMaxMs: this.writeHoldMaxMs,
      drainMs: this.drainMs,
    }
  }

  #integrate(now: number): void {
    this.#insideMs += this.#inside * (now - this.#integratedAt)
    this.#integratedAt = now
  }
}
