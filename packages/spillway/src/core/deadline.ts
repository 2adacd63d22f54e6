// The instant after which an answer is worthless. On the wire a deadline travels as remaining time, never as a clock
// reading, because two hosts never agree on the time; inside the process it is a monotonic instant, so that waiting
// uses it up by itself.

declare const brand: unique symbol

/** A monotonic instant of one {@link Runtime}, in ms. */
export type Deadline = number & { readonly [brand]: 'Deadline' }

/** The deadline of work that has `remainingMs` left at `now`. */
export function deadlineAfter(now: number, remainingMs: number): Deadline {
  return (now + remainingMs) as Deadline
}
