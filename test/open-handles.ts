// Runs in every test file: what a test leaves open (a server, a socket, a timer, a child process) fails the file that
// opened it. Vitest ends its workers by force, so without this nobody would notice, and a service that uses the library
// would find out instead, by not ending.
//
// To see where a handle was opened: `npx vitest run --detect-async-leaks <file>`.
import { afterAll } from 'vitest'

// Sockets need a few turns of the loop to close after `server.close()`. With half of it a busy machine reports sockets that
// were on their way out; doubled, a file that does leak takes longer to say so.
const graceMs = 2000
const stepMs = 10

// Node opens these at their first use, whoever that is.
for (const name of ['stdin', 'stdout', 'stderr'] as const) void process[name]

/** What keeps the process alive before the tests of the file begin: Vitest's own pipes. */
const before = process.getActiveResourcesInfo()

afterAll(async () => {
  let left = opened()
  for (let waitedMs = 0; left.length > 0 && waitedMs < graceMs; waitedMs += stepMs) {
    await new Promise((wake) => setTimeout(wake, stepMs))
    left = opened()
  }
  if (left.length > 0) throw new Error(`left open after the tests: ${left.join(', ')}`)
})

/** The open resources that were not there before, each as often as it is new. */
function opened(): string[] {
  const known = [...before]
  return process.getActiveResourcesInfo().filter((resource) => {
    const at = known.indexOf(resource)
    if (at !== -1) known.splice(at, 1)
    return at === -1
  })
}
