// However a call ends, its permit comes back, once, and the accounts add up.

import { describe, expect, it, vi } from 'vitest'
import { type Answer, type Call, HeldHandler, type Result } from './call.ts'
import { ask, keepAlive } from './client.ts'
import { adapters, frameworks, http1, named, serve, unaccounted } from './harness.ts'
import { until } from './wait.ts'

vi.setConfig({ testTimeout: 60_000 })

// More than a stream of HTTP/2 takes before its caller reads; several such fit into what a session may keep.
const large = Buffer.alloc(256 * 1024, 'x')

const answers: readonly [string, string, Answer, Answer['body']][] = [
  ['a plain answer', 'GET', { body: 'hello' }, 'hello'],
  ['a HEAD', 'HEAD', { body: 'hello' }, ''],
  ['a 204', 'GET', { status: 204 }, ''],
  ['a 304', 'GET', { status: 304 }, ''],
  ['a large body', 'GET', { body: large }, large.toString()],
  ['an answer in pieces', 'GET', { chunks: ['a', 'b', 'c'] }, 'abc'],
  ['an upload', 'POST', { body: 'stored' }, 'stored'],
]

describe.each(named(adapters))('%s gives the permit back after', (_name, adapter) => {
  it.each(answers)('%s', async (_title, method, answer, body) => {
    const sides: ((call: Call) => Result | Promise<Result>)[] = [() => answer, async () => answer]
    for (const handle of sides) {
      const served = await serve(adapter, { handle }, { limit: 1 })
      for (let turn = 1; turn <= 3; turn++) {
        const reply = await served.ask({ method, ...(method === 'POST' ? { body: 'some body' } : {}) }).reply
        expect(reply).toMatchObject({ status: answer.status ?? 200, body })
        await served.quiet()
        expect(served.accounts()).toMatchObject({ offered: turn, success: turn, good: turn, lateSettles: 0 })
      }
    }
  })

  it.each([
    [404, 'ignored'],
    [500, 'ignored'],
    [503, 'dropped'],
    [429, 'dropped'],
    [504, 'dropped'],
  ])('a %i, which counts as %s', async (status, outcome) => {
    const served = await serve(adapter, { handle: () => ({ status, body: 'no' }) }, { limit: 1 })
    await served.get()
    await served.quiet()
    expect(served.accounts()).toMatchObject({ offered: 1, success: 0, [outcome]: 1 })
  })

  it('a caller who leaves before the handler ends', async () => {
    const held = new HeldHandler()
    const served = await serve(adapter, held, { limit: 1 })
    for (let turn = 1; turn <= 3; turn++) {
      const asked = served.ask()
      await until(() => held.calls === turn, 'the handler')
      asked.leave()
      await until(() => held.started[turn - 1]?.admitted.signal.aborted === true, 'the signal')
      held.release()
      await served.quiet()
      expect(served.accounts()).toMatchObject({ cancelled: turn, success: 0, lateSettles: 0 })
    }
    expect(unaccounted(served.accounts())).toBe(0)
  })

  it('a caller who leaves during the body', async () => {
    // Far more than fits into the buffers of both ends, and less than what a session of HTTP/2 may keep.
    const body = Buffer.alloc((adapter.protocol === 'http2' ? 4 : 32) * 1024 * 1024, 'x')
    const served = await serve(adapter, { handle: () => ({ body }) }, { limit: 1 })
    for (let turn = 1; turn <= 3; turn++) {
      const asked = served.ask()
      await asked.head
      asked.leave()
      await served.quiet()
      expect(served.accounts()).toMatchObject({ cancelled: turn, success: 0, lateSettles: 0 })
    }
  })

  it('a caller who leaves after the body', async () => {
    const served = await serve(adapter, { handle: () => ({ body: 'all' }) }, { limit: 1 })
    for (let turn = 1; turn <= 3; turn++) {
      const asked = served.ask()
      await asked.reply
      asked.leave()
      await served.quiet()
      expect(served.accounts()).toMatchObject({ success: turn, cancelled: 0, lateSettles: 0 })
    }
  })

  it('a handler that answers a caller who has just left (C01)', async () => {
    const held = new HeldHandler()
    const served = await serve(adapter, held, { limit: 1, queueDepthMax: 0 })
    const asked = served.ask()
    await until(() => held.calls === 1, 'the handler')
    asked.leave()
    const response = held.started[0]?.response
    // In the very turn in which the loss shows, before anyone has been told.
    await until(() => response?.destroyed === true || response?.socket?.destroyed !== false, 'the loss')
    held.release()
    await served.quiet()
    expect(served.accounts()).toMatchObject({ cancelled: 1, success: 0, lateSettles: 0 })
    const next = served.get()
    await until(() => held.calls === 2, 'the next one')
    held.release()
    expect(await next).toMatchObject({ status: 200, body: 'done' })
  })

  it('a thousand requests, half of which are aborted in their body (C02)', async () => {
    // A handshake of TLS for each costs more than all the rest.
    const requests = adapter.secure ? 200 : 1000
    let running = 0
    let runningMax = 0
    const handle = async (call: Call): Promise<Answer> => {
      running++
      runningMax = Math.max(runningMax, running)
      await new Promise((resolve) => setImmediate(resolve))
      running--
      const status = Number(call.url.slice(1))
      return status === 200 ? { body: large } : { status }
    }
    const served = await serve(
      adapter,
      { handle },
      { limit: 2, queueDepthMax: 1000, waitMaxMs: 60_000, deadlineMs: 60_000 },
    )
    const one = async (index: number): Promise<void> => {
      const [path, method] = [
        ['/200', 'GET'],
        ['/204', 'GET'],
        ['/304', 'GET'],
        ['/200', 'HEAD'],
      ][index % 4] as [string, string]
      const asked = served.ask({ path, method })
      const leaves = index % 8 >= 4 || path === '/200'
      if (!leaves || method === 'HEAD') await asked.reply
      else await asked.head.then(() => asked.leave())
      expect(served.accounts().running).toBeGreaterThanOrEqual(0)
    }
    for (let batch = 0; batch < requests; batch += 100) {
      const workers = Array.from({ length: 10 }, async (_, worker) => {
        for (let index = worker; index < 100; index += 10) await one(index)
      })
      await Promise.all(workers)
      // A session of HTTP/2 takes only so many resets for an attack.
      served.reconnect()
    }
    await served.quiet()
    expect(runningMax).toBeLessThanOrEqual(2)
    expect(served.accounts()).toMatchObject({ offered: requests, running: 0, inFlight: 0, lateSettles: 0 })
    expect(unaccounted(served.accounts())).toBe(0)
  })
})

describe.each(named(frameworks))(
  '%s gives the permit back, and its own error handling sees the error, when',
  (_name, adapter) => {
    const boom = new Error('boom')
    it.each([
      [
        'the handler throws before its promise',
        () => {
          throw boom
        },
      ],
      ['the handler rejects at once', () => Promise.reject(boom)],
      [
        'the handler rejects later',
        async () => {
          await new Promise((resolve) => setImmediate(resolve))
          throw boom
        },
      ],
    ] satisfies [string, () => Result | Promise<Result>][])('%s', async (_title, handle) => {
      const served = await serve(adapter, { handle }, { limit: 1 })
      for (let turn = 1; turn <= 3; turn++) {
        expect(await served.get()).toMatchObject({ status: 500 })
        await served.quiet()
        expect(served.accounts()).toMatchObject({ offered: turn, ignored: turn, lateSettles: 0 })
      }
    })

    it.each([
      ['an early hook replies 403', () => ({ status: 403, body: 'no' }), 403],
      [
        'an early hook throws',
        () => {
          throw boom
        },
        500,
      ],
      ['an early hook rejects', () => Promise.reject(boom), 500],
    ] satisfies [string, () => Answer | Promise<Answer>, number][])(
      '%s, time and again (C03)',
      async (_title, hook, status) => {
        let calls = 0
        const handle = (): Answer => ({ body: String(++calls) })
        const served = await serve(adapter, { handle, hook }, { limit: 10, queueDepthMax: 0 })
        for (let turn = 1; turn <= 50; turn++) {
          expect(await served.get()).toMatchObject({ status })
          await served.quiet()
        }
        expect(calls).toBe(0)
        expect(served.accounts()).toMatchObject({ offered: 50, ignored: 50, lateSettles: 0 })
      },
    )
  },
)

describe.each(named(http1.filter(({ secure }) => !secure)))('%s over one connection', (_name, adapter) => {
  it('leaves no listener behind', async () => {
    const warnings: Error[] = []
    const onWarning = (warning: Error): void => void warnings.push(warning)
    process.on('warning', onWarning)
    const sockets = new Set<unknown>()
    const listeners: number[] = []
    const handle = ({ request }: Call): Answer => {
      const { socket } = request
      sockets.add(socket)
      listeners.push(socket.eventNames().reduce((sum, event) => sum + socket.listenerCount(event), 0))
      return { body: 'ok' }
    }
    const served = await serve(adapter, { handle }, { limit: 1 })
    const agent = keepAlive()
    const target = { ...served.target, agent }
    for (let index = 0; index < 200; index++) await ask(target, { path: `/${index}` }).reply
    agent.destroy()
    await served.quiet()
    process.removeListener('warning', onWarning)
    expect(sockets.size).toBe(1)
    expect(listeners.at(-1)).toBe(listeners[1])
    expect(warnings).toEqual([])
    expect(served.accounts()).toMatchObject({ success: 200 })
  })
})
