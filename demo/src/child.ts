// The child's end of the channel to its parent. A child lives no longer than the channel: however the parent ends, even
// by a signal that it cannot catch, the channel closes and the child goes too.

import type { Message } from './messages.ts'

/**
 * Says that the child is ready, waits for its one order and carries it out. `tidyUp` is called once, when the parent
 * closes the channel, however far the order has got.
 */
export function serveParent<Order>(
  carryOut: (order: Order) => Promise<void>,
  tidyUp: () => Promise<void> = async () => {},
): void {
  // Ctrl-C in a terminal reaches every process of the demo at once. The parent decides what it means; a child that left
  // by itself would look like a crash.
  process.on('SIGINT', () => {})
  process.once('disconnect', async () => {
    try {
      await tidyUp()
    } finally {
      process.exit()
    }
  })
  process.once('message', async (order) => {
    try {
      await carryOut(order as Order)
    } catch (error) {
      tell({ type: 'problem', message: error instanceof Error ? error.message : String(error) })
      process.exitCode = 1
      if (process.connected) process.disconnect()
    }
  })
  tell({ type: 'ready' })
}

export function tell(message: Message): void {
  // The parent may have gone between two readings; the disconnect that follows ends this process.
  if (process.connected) process.send?.(message, undefined, undefined, () => {})
}
