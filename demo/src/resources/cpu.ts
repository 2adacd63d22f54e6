// The processor itself: 5 ms of synchronous work per request, as rendering or parsing would be. Nothing else in the
// process moves while it runs. The work is a spin on the clock, so that it is 5 ms on every machine.

import type { Resource } from './resource.ts'

const workMs = 5

export function openCpu(): Resource {
  let running = 0
  return {
    async use() {
      running++
      const untilMs = performance.now() + workMs
      while (performance.now() < untilMs);
      running--
    },
    running: () => running,
    // Those who wait do so in the kernel and in socket buffers, where the process cannot see them.
    waiting: () => 0,
    close: async () => {},
  }
}
