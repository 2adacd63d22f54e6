// What goes wrong, on a timeline, as plain data. Where an instance is named by its number, only that one is hit; the others
// of its fleet go on.

interface Span {
  readonly fromMs: number
  readonly toMs: number
}

interface Place {
  readonly service: string
  /** Number of the instance, from 0. Default: all. */
  readonly instance?: number
}

export type Fault =
  /** Work that starts takes so many times longer. */
  | ({ readonly kind: 'slow-down'; readonly factor: number } & Place & Span)
  /** Work fails: after `failMs`, or by default as late as it would have been done. */
  | ({ readonly kind: 'outage'; readonly failMs?: number } & Place & Span)
  /** Work is accepted and never ends; what hangs fails when the fault is over. */
  | ({ readonly kind: 'black-hole' } & Place & Span)
  /** Only so many slots or cores are left. Work that runs on the others ends first. */
  | ({ readonly kind: 'capacity-loss'; readonly slots: number } & Place & Span)
  /** The process stops: nothing runs, arrivals wait unseen, timers fire late. */
  | ({ readonly kind: 'pause' } & Place & Span)
  /** Slow from the start of the span, by a factor that falls to 1 at its end. */
  | ({ readonly kind: 'cold-start'; readonly factor: number } & Place & Span)
  /** The process ends at once and starts again; what was in it fails. `startUpMs` until it serves, default 0. */
  | ({ readonly kind: 'crash'; readonly atMs: number; readonly startUpMs?: number } & Place)
  /** Every cache of the service forgets all. */
  | ({ readonly kind: 'cache-flush'; readonly atMs: number } & Place)
  /** The wall clock steps; the monotonic one does not. */
  | { readonly kind: 'clock-jump'; readonly atMs: number; readonly byMs: number }
  /** One tenant sends so much more. */
  | ({ readonly kind: 'tenant-burst'; readonly tenant: string; readonly perS: number } & Span)
  /** A share of the requests becomes dearer, and belongs to `class` where one is named. */
  | ({
      readonly kind: 'expensive-queries'
      readonly share: number
      readonly factor: number
      readonly class?: string
    } & Span)
  /** The service drains: nothing new is admitted, and after `graceMs` it is gone. */
  | ({ readonly kind: 'shutdown'; readonly atMs: number; readonly graceMs: number } & Place)

export type FaultKind = Fault['kind']
