// The generator needs little time but needs it at once. On a machine with few cores a service in the middle of a burst would
// hold it up, and its lateness would read as the service's latency. So the generator goes first: it is raised where the
// account may do that, and elsewhere the services step back, which anyone may do.

import { setPriority } from 'node:os'

const generatorPriority = -10
const servicePriority = 5

/** Called by each process of the two kinds about itself. */
export function preferGenerator(self: 'generator' | 'service'): void {
  const mayRaise = process.getuid === undefined || process.getuid() === 0
  try {
    if (self === 'generator' && mayRaise) setPriority(generatorPriority)
    if (self === 'service' && !mayRaise) setPriority(servicePriority)
  } catch {
    // A container may forbid both. The run itself says so when the generator was late.
  }
}
