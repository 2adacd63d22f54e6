// The service under load, in its two forms. Both have the same handler in front of their own copy of the same resource;
// the protected one differs by the one line that wraps it.

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { protect } from 'spillway'
import type { ServiceName, ServiceReading } from './messages.ts'
import type { Resource } from './resources/resource.ts'

export type ServiceSettings = {
  readonly service: ServiceName
  readonly resource: Resource
  /** How many the door lets in at once; the resource's slots. */
  readonly limit: number
}

export type Service = {
  readonly server: Server
  reading(): ServiceReading
}

type RequestListener = (req: IncomingMessage, res: ServerResponse) => unknown

export function createService({ service, resource, limit }: ServiceSettings): Service {
  let finished = 0
  let wasted = 0

  const handler = async (_req: IncomingMessage, res: ServerResponse): Promise<void> => {
    try {
      await resource.use()
    } catch {
      res.statusCode = 500
    }
    finished++
    // The work is done. If the caller's socket has closed, or closes before the answer is out, it was done for nobody.
    if (res.closed) wasted++
    else res.once('close', () => (wasted += res.writableFinished ? 0 : 1))
    res.end('done\n')
  }

  let listener: RequestListener = handler
  let waiting = () => resource.waiting()
  if (service === 'protected') {
    const gated = protect(handler, { limit })
    listener = gated
    waiting = () => gated.door.snapshot().waiting + resource.waiting()
  }

  const server = createServer(listener)
  // Longer than the demo, so that no idle connection is closed under a request that is just being sent on it.
  server.keepAliveTimeout = 120_000

  return {
    server,
    reading: () => ({
      type: 'reading',
      rssBytes: process.memoryUsage.rss(),
      running: resource.running(),
      waiting: waiting(),
      finished,
      wasted,
    }),
  }
}

/** Listens on loopback only; port 0 takes a free one. Resolves to the port. */
export function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', () => {
      const address = server.address()
      if (address === null || typeof address === 'string') throw new Error('a TCP server has a port')
      resolve(address.port)
    })
  })
}
