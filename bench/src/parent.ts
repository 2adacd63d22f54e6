// The child's end of the channel to its parent.

/** Answers every order of the parent with what `carryOut` resolves to. */
export function serveParent<Order, Answer>(carryOut: (order: Order) => Promise<Answer> | Answer): void {
  // Ctrl-C reaches every process of a terminal at once; the parent decides what it means.
  process.on('SIGINT', () => {})
  process.once('disconnect', () => process.exit())
  process.on('message', async (order) => tell(await carryOut(order as Order)))
}

export function tell(message: unknown): void {
  // The parent may have gone; the disconnect that follows ends this process.
  if (process.connected) process.send?.(message, undefined, undefined, () => {})
}
