// Waiting on conditions instead of on time: a test that sleeps is slow when it passes and wrong when the machine is busy.

// Far beyond what anything here takes: only a test that will not end otherwise meets it.
const BOUND_MS = 20_000

/** Ends when the condition holds; looks at it in every turn of the loop. */
export async function until(condition: () => boolean, what: string): Promise<void> {
  const startedAt = performance.now()
  while (!condition()) {
    if (performance.now() - startedAt > BOUND_MS) throw new Error(`never came: ${what}`)
    await new Promise((resolve) => setImmediate(resolve))
  }
}

/** Lets the loop turn a few times, so that what is on its way arrives. */
export async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve))
}
