// A door that drains while its server goes on: those who wait are served, the rest is told to go elsewhere.

import { describe, expect, it, vi } from 'vitest'
import { type Answer, type Call, HeldHandler } from './call.ts'
import { ask, keepAlive } from './client.ts'
import { adapters, http1, named, serve } from './harness.ts'
import { until } from './wait.ts'

vi.setConfig({ testTimeout: 60_000 })

const patient = { waitMaxMs: 30_000, deadlineMs: 30_000 } as const

describe.each(named(adapters))('%s', (_name, adapter) => {
  it('serves who runs and who waits, and refuses who comes, while it drains', async () => {
    const held = new HeldHandler()
    const served = await serve(adapter, held, { limit: 1, queueDepthMax: 5, ...patient })
    const running = served.ask({ path: '/running' })
    await until(() => held.calls === 1, 'the first')
    const waiting = served.ask({ path: '/waiting' })
    await until(() => served.accounts().waiting === 1, 'the second')
    const drained = served.door.drain({ graceMs: 30_000 })
    const refused = await served.ask().reply
    expect(refused).toMatchObject({ status: 503 })
    expect(refused.headers).toMatchObject({ 'x-shed-reason': 'closing', 'x-should-retry': 'true' })
    held.release({ body: 'ran' })
    await until(() => held.calls === 2, 'the second to run')
    held.release({ body: 'waited' })
    const replies = [await running.reply, await waiting.reply]
    expect(replies.map(({ body }) => body)).toEqual(['ran', 'waited'])
    expect(await drained).toEqual({ drained: true, running: 0 })
    for (const { headers } of [...replies, refused]) {
      if (adapter.protocol === 'http1') expect(headers.connection).toBe('close')
    }
  })

  it('answers who still waits when the grace period is over', async () => {
    const held = new HeldHandler()
    const served = await serve(adapter, held, { limit: 1, queueDepthMax: 5, ...patient })
    const running = served.ask()
    await until(() => held.calls === 1, 'the first')
    const waiting = served.ask()
    await until(() => served.accounts().waiting === 1, 'the second')
    expect(await served.door.drain({ graceMs: 20 })).toEqual({ drained: false, running: 1 })
    const { status, headers, body } = await waiting.reply
    expect(status).toBe(503)
    expect(headers['x-shed-reason']).toBe('closing')
    expect(JSON.parse(body)).toMatchObject({ stage: 'queue' })
    held.release()
    expect(await running.reply).toMatchObject({ status: 200 })
    await served.quiet()
    expect(held.calls).toBe(1)
  })
})

describe.each(named(http1.filter(({ secure }) => !secure)))('%s', (_name, adapter) => {
  it.each([
    ['at once', (): Answer => ({ body: 'ok' })],
    ['later', async (): Promise<Answer> => ({ body: 'ok' })],
  ] satisfies [string, (call: Call) => Answer | Promise<Answer>][])(
    'keeps connections until it drains, answering %s',
    async (_when, handle) => {
      const served = await serve(adapter, { handle }, { limit: 1 })
      const agent = keepAlive()
      const target = { ...served.target, agent }
      const before = [await ask(target).reply, await ask(target).reply]
      for (const { headers } of before) expect(headers.connection).toBe('keep-alive')
      await served.door.drain()
      const after = await ask(target).reply
      expect(after).toMatchObject({ status: 503 })
      expect(after.headers.connection).toBe('close')
      agent.destroy()
    },
  )
})
