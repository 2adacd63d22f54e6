// What a refusal looks like on the wire. One table, used by every adapter: reason → HTTP status, gRPC status, headers and
// body. 503 says that the service cannot, now, for anyone; 429 that this caller used its share. They are never mixed:
// clients that read 429 take it for their own fault.

import type { Reason, Rejection } from '../core/decision.ts'
import type { Outcome } from '../core/sample.ts'

/** gRPC status codes that refusals use (google.rpc.Code). */
export const grpcStatus = { DEADLINE_EXCEEDED: 4, RESOURCE_EXHAUSTED: 8, UNAVAILABLE: 14 } as const

interface WireStatus {
  readonly http: 429 | 503
  readonly grpc: keyof typeof grpcStatus
}

/** Reason → status. */
export const statusOf: { readonly [R in Reason]: WireStatus } = {
  quota: { http: 429, grpc: 'RESOURCE_EXHAUSTED' },
  dependency: { http: 503, grpc: 'UNAVAILABLE' },
  deadline: { http: 503, grpc: 'DEADLINE_EXCEEDED' },
  shed: { http: 503, grpc: 'UNAVAILABLE' },
  capacity: { http: 503, grpc: 'UNAVAILABLE' },
  closing: { http: 503, grpc: 'UNAVAILABLE' },
}

/** Where in the chain the refusal was made, for `x-shed-layer`: outer shedders must not count an inner one's refusal. */
export type ShedLayer = 'service' | 'proxy' | 'gateway' | 'client'

/** The headers of a refusal, lower case. */
export function refusalHeaders(rejection: Rejection, body: string, layer: ShedLayer): Record<string, string | number> {
  const headers: Record<string, string | number> = {
    'content-type': 'application/json',
    'content-length': body.length,
    'x-shed-reason': rejection.reason,
    'x-shed-layer': layer,
    'x-should-retry': rejection.retryable ? 'true' : 'false',
  }
  const retryAfter = retryAfterSeconds(rejection)
  if (retryAfter !== undefined) headers['retry-after'] = retryAfter
  return headers
}

/** `Retry-After` in whole seconds, rounded up and never 0, so that a caller who obeys is not refused for it; or none. */
export function retryAfterSeconds(rejection: Rejection): number | undefined {
  const { retryAfterMs } = rejection
  return retryAfterMs === undefined ? undefined : Math.max(1, Math.ceil(retryAfterMs / 1000))
}

/** The body of a refusal: JSON with the reason and the numbers it was decided on. ASCII only. */
export function refusalBody(rejection: Rejection, layer: ShedLayer): string {
  const { reason, stage, limit, inFlight, waiting, estimatedWaitMs, remainingMs, retryAfterMs } = rejection
  // Written out, since every value is a number or a word of ours: JSON.stringify costs three times as much.
  return (
    `{"error":"rejected","reason":"${reason}","stage":"${stage}","layer":"${layer}","limit":${limit},` +
    `"inFlight":${inFlight},"waiting":${waiting},"estimatedWaitMs":${estimatedWaitMs},"remainingMs":${remainingMs},` +
    `"retryAfterMs":${retryAfterMs ?? null}}`
  )
}

/**
 * What a finished response says about capacity. 429, 503 and 504 mean that the work was lost to overload further on; any
 * other 4xx or 5xx says nothing about it, and must never pass for fast service.
 */
export function outcomeOfStatus(status: number): Outcome {
  if (status < 400) return 'success'
  return status === 429 || status === 503 || status === 504 ? 'dropped' : 'ignored'
}
