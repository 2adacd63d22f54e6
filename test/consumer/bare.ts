// A user's file without any framework, compiled against the packed library (see package.test.ts). The errors that are
// expected prove that the types arrived: where they got lost, everything is `any` and nothing is wrong.
import { createServer } from 'node:http'
import { createServer as createServer2 } from 'node:http2'
import { createAdmission, createQuota, type Decision, protect, type Reason, RejectedError } from 'spillway'
import { protect as protect2 } from 'spillway/http2'
import { protect as protectHttp } from 'spillway/node-http'
import { VirtualRuntime } from 'spillway/testing'

createServer(protect((_request, response) => response.end('hello'), { limit: 5 }))
createServer(protectHttp((_request, response) => response.end('hello'), { limit: 5 }))
createServer2(protect2((_request, response) => response.end('hello'), { limit: 5 }))

const door = createAdmission({ limit: 5, quota: createQuota({ limit: '100/min' }) })
const decision: Decision = door.offer({})
export const ran: Promise<number> = door.run(() => 1)
export const reason: Reason | undefined = decision.status === 'rejected' ? decision.reason : undefined
export const wasRefused = (error: unknown): boolean => error instanceof RejectedError
export const runtime = new VirtualRuntime()

// @ts-expect-error: a limit is a number or a limiter.
createAdmission({ limit: true })
// @ts-expect-error: options are known by name.
protect(() => undefined, { limmit: 5 })
// @ts-expect-error: a reason is one of a closed list.
export const wrong: Reason = 'tired'
