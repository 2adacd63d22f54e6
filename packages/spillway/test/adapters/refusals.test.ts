// What a refused caller gets, over each adapter, and what a refusal costs those behind the door: nothing.

import { describe, expect, it, vi } from 'vitest'
import { createQuota } from '../../src/surface/create-quota.ts'
import { type Answer, HeldHandler, type Hook } from './call.ts'
import { ask, keepAlive, type Reply } from './client.ts'
import { adapters, http1, named, type Served, serve } from './harness.ts'
import { until } from './wait.ts'

vi.setConfig({ testTimeout: 60_000 })

const full = { limit: 1, queueDepthMax: 0 } as const

async function fill(served: Served, held: HeldHandler): Promise<void> {
  served.ask()
  await until(() => held.calls === 1, 'the holder')
}

const numbers = {
  limit: expect.any(Number),
  inFlight: expect.any(Number),
  waiting: expect.any(Number),
  estimatedWaitMs: expect.any(Number),
  remainingMs: expect.any(Number),
}

function expectRefusal(
  { status, headers, body }: Reply,
  wanted: { status: number; reason: string; retry: boolean },
): void {
  const { reason, retry } = wanted
  expect(status).toBe(wanted.status)
  expect(headers).toMatchObject({
    'content-type': 'application/json',
    'content-length': String(body.length),
    'x-shed-reason': reason,
    'x-shed-layer': 'service',
    'x-should-retry': String(retry),
  })
  if (retry) expect(headers['retry-after']).toMatch(/^[1-9]\d{0,4}$/)
  else expect(headers).not.toHaveProperty('retry-after')
  const retryAfterMs = retry ? expect.any(Number) : null
  const said = { error: 'rejected', reason, stage: expect.any(String), layer: 'service', ...numbers, retryAfterMs }
  expect(JSON.parse(body)).toEqual(said)
}

describe.each(named(adapters))('%s', (_name, adapter) => {
  it('refuses for capacity with 503, when to come again, and its numbers', async () => {
    const held = new HeldHandler()
    const served = await serve(adapter, held, full)
    await fill(served, held)
    const reply = await served.ask().reply
    expectRefusal(reply, { status: 503, reason: 'capacity', retry: true })
    expect(JSON.parse(reply.body)).toMatchObject({ limit: 1, inFlight: 1, waiting: 0, stage: 'door' })
    held.releaseAll()
  })

  it('refuses a deadline that has passed with 503 and no advice', async () => {
    const served = await serve(adapter, new HeldHandler(), full)
    const reply = await served.ask({ headers: { 'x-request-timeout-ms': '0' } }).reply
    expectRefusal(reply, { status: 503, reason: 'deadline', retry: false })
  })

  it('refuses a caller over its quota with 429, and when it refills', async () => {
    const quota = createQuota({ limit: '1/min' })
    const keyOf = ({ header }: { header(name: string): string | undefined }): string | undefined => header('x-key')
    const served = await serve(
      adapter,
      { handle: () => ({ body: 'ok' }) },
      {
        limit: 5,
        quota,
        keyOf: (exchange) => keyOf({ header: (name) => exchange.header(name) }),
      },
    )
    expect(await served.get('/', { 'x-key': 'a' })).toMatchObject({ status: 200 })
    const reply = await served.ask({ headers: { 'x-key': 'a' } }).reply
    expectRefusal(reply, { status: 429, reason: 'quota', retry: true })
    expect(Number(reply.headers['retry-after'])).toBeLessThanOrEqual(60)
    expect(await served.get('/', { 'x-key': 'b' })).toMatchObject({ status: 200 })
    expect(await served.get('/')).toMatchObject({ status: 200 })
    expect(served.accounts()).toMatchObject({ unkeyed: 1 })
  })

  it('refuses while it drains with 503 and an end to the connection', async () => {
    const served = await serve(adapter, { handle: () => ({ body: 'ok' }) }, full)
    await served.door.drain()
    const reply = await served.ask().reply
    expectRefusal(reply, { status: 503, reason: 'closing', retry: true })
    if (adapter.protocol === 'http1') expect(reply.headers.connection).toBe('close')
  })

  it('sends no body in answer to HEAD', async () => {
    const held = new HeldHandler()
    const served = await serve(adapter, held, full)
    await fill(served, held)
    const reply = await served.ask({ method: 'HEAD' }).reply
    expect(reply).toMatchObject({ status: 503, body: '' })
    expect(Number(reply.headers['content-length'])).toBeGreaterThan(100)
    expect(reply.headers['x-shed-reason']).toBe('capacity')
    held.releaseAll()
  })

  it('refuses before anything behind the door sees the call', async () => {
    const held = new HeldHandler()
    const seen: string[] = []
    const hook: Hook = ({ url }) => {
      seen.push(url)
      return undefined
    }
    const served = await serve(adapter, { handle: held.handle, hook }, { ...full, queueDepthMax: 1, waitMaxMs: 100 })
    await fill(served, held)
    const queued = served.ask({ path: '/queued' }).reply
    await until(() => served.accounts().waiting === 1, 'the waiter')
    expect(await served.get('/refused')).toMatchObject({ status: 503 })
    expect(await queued).toMatchObject({ status: 503 })
    expect(await served.ask({ path: '/body', method: 'POST', body: 'x' }).reply).toMatchObject({ status: 503 })
    expect(seen).toEqual(['/'])
    expect(held.calls).toBe(1)
    held.releaseAll()
  })
})

describe.each(named(http1.filter(({ secure }) => !secure)))(
  '%s keeps the connection of a refused caller',
  (_name, adapter) => {
    it.each([
      ['GET', undefined],
      ['HEAD', undefined],
      ['POST', 'a small body'],
      ['POST', 'x'.repeat(200_000)],
      ['PUT', ''],
    ])('%s', async (method, body) => {
      const held = new HeldHandler()
      const sockets = new Set<unknown>()
      const hook = ({ request }: { request: { socket: unknown } }): Answer | undefined => {
        sockets.add(request.socket)
        return undefined
      }
      const served = await serve(adapter, { handle: held.handle, hook }, full)
      const agent = keepAlive()
      const target = { ...served.target, agent }
      const first = ask(target).reply
      await until(() => held.calls === 1, 'the first')
      held.release()
      await first
      await served.quiet()
      const blocker = served.ask()
      await until(() => held.calls === 2, 'the holder')
      for (let turn = 0; turn < 3; turn++) {
        const reply = await ask(target, { method, ...(body === undefined ? {} : { body }) }).reply
        expect(reply.status).toBe(503)
        expect(reply.headers.connection).toBe('keep-alive')
      }
      held.release()
      await blocker.reply
      await served.quiet()
      const last = ask(target, { path: '/last' }).reply
      await until(() => held.calls === 3, 'the last')
      held.release()
      expect(await last).toMatchObject({ status: 200 })
      // The blocker came on a connection of its own; all else shared one.
      expect(sockets.size).toBe(2)
      expect(served.gate().draining).toBe(0)
      agent.destroy()
    })
  },
)
