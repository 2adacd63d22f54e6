// The shipped door as an entrance: production code, unchanged, under the runtime of the process it stands in.

import type { Admission } from '../core/admission.ts'
import type { Outcome } from '../core/sample.ts'
import type { AdmissionSnapshot } from '../core/tally.ts'
import type { Entrance, Guest } from './entrance.ts'

export class DoorEntrance implements Entrance {
  readonly door: Admission

  constructor(door: Admission) {
    this.door = door
  }

  get inFlight(): number {
    return this.door.inFlight
  }

  get limit(): number {
    return this.door.limit
  }

  get waiting(): number {
    return this.door.waiting
  }

  get offered(): number {
    return this.door.snapshot().offered
  }

  get rejected(): number {
    return rejectedOf(this.door.snapshot())
  }

  enter(guest: Guest): void {
    const decision = this.door.offer(guest.attempt, guest)
    if (decision.status === 'admitted') guest.admitted(decision)
    else if (decision.status === 'rejected') guest.rejected(decision)
    else guest.ticket = decision
  }

  leave(guest: Guest): boolean {
    return guest.ticket?.leave() ?? false
  }

  end(guest: Guest, outcome: Outcome): void {
    if (guest.gone) guest.permit?.cancel()
    else guest.permit?.settle(outcome)
  }

  close(graceMs: number, whenOver: () => void): void {
    this.door.close(graceMs, whenOver)
  }

  faults(): readonly string[] {
    const account = this.door.snapshot()
    const { running, waiting, success, ignored, dropped, reclaimed, cancelled } = account
    const placed = running + waiting + success + ignored + dropped + reclaimed + cancelled + rejectedOf(account)
    const faults: string[] = []
    if (placed !== account.offered)
      faults.push(`the door was offered ${account.offered} calls and has placed ${placed}`)
    if (account.callbackErrors > 0) faults.push(`${account.callbackErrors} callbacks of the door threw`)
    return faults
  }
}

function rejectedOf({ rejected }: AdmissionSnapshot): number {
  return Object.values(rejected).reduce((sum, { door, queue }) => sum + door + queue, 0)
}
