// Whether something a handler returned is a promise, of whatever make: a handler may use a library of its own for them.

export function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof (value as PromiseLike<unknown> | null | undefined)?.then === 'function'
}
