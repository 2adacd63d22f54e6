// Two node:http servers that answer nothing but 503: a saturated door, and the same answer written by hand. The bare one
// does what the door's answer needs and no more: a fresh body with numbers that change, the same headers, the same calls.

import { createServer, type Server } from 'node:http'
import { protect } from 'spillway/node-http'
import type { Variant } from './messages.ts'

export function refusingServer(variant: Variant): Server {
  return variant === 'gated' ? saturated() : bare503()
}

function saturated(): Server {
  const listener = protect(
    () => {
      throw new Error('a request that was to be refused was served')
    },
    { limit: 1, waitMaxMs: 0, permitAgeMaxMs: 86_400_000 },
  )
  // The one slot is taken by work that never ends.
  listener.door.offer()
  return createServer(listener)
}

function bare503(): Server {
  let refused = 0
  return createServer((_, response) => {
    refused++
    const retryAfterMs = 15_000 + (refused % 15_000)
    const body =
      `{"error":"rejected","reason":"capacity","stage":"door","layer":"service","limit":1,"inFlight":1,"waiting":0,` +
      `"estimatedWaitMs":0,"remainingMs":1000,"retryAfterMs":${retryAfterMs}}`
    const headers: Record<string, string | number> = {
      'content-type': 'application/json',
      'content-length': body.length,
      'x-shed-reason': 'capacity',
      'x-shed-layer': 'service',
      'x-should-retry': 'true',
      'retry-after': Math.ceil(retryAfterMs / 1000),
    }
    response.writeHead(503, headers)
    response.end(body)
  })
}
