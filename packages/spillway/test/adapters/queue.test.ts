// Who waits at the door of a server: the one who leaves is taken out at once, the rest is served or told no in time.

import { AsyncLocalStorage } from 'node:async_hooks'
import { describe, expect, it, vi } from 'vitest'
import type { NodeRequest } from '../../src/propagation/node-exchange.ts'
import { type Handle, HeldHandler } from './call.ts'
import { Wire } from './client.ts'
import { adapters, http1, named, type Served, serve, unaccounted } from './harness.ts'
import { turns, until } from './wait.ts'

vi.setConfig({ testTimeout: 60_000 })

const patient = { waitMaxMs: 30_000, deadlineMs: 30_000 }

// One call that holds the only slot.
async function busy(served: Served, held: HeldHandler) {
  const holder = served.ask({ path: '/holder' })
  await until(() => held.calls === 1, 'the holder')
  return holder
}

describe.each(named(adapters))('%s', (_name, adapter) => {
  it('takes a queued caller who leaves out at once, never calls its handler, and serves the next (C13)', async () => {
    const held = new HeldHandler()
    const served = await serve(adapter, held, { limit: 1, queueDepthMax: 5, ...patient })
    const holder = await busy(served, held)
    const first = served.ask({ path: '/first' })
    await until(() => served.accounts().waiting === 1, 'the first')
    const second = served.ask({ path: '/second' })
    await until(() => served.accounts().waiting === 2, 'the second')
    first.leave()
    await until(() => served.accounts().waiting === 1, 'the first to be taken out')
    expect(served.accounts()).toMatchObject({ running: 1, cancelled: 1 })
    held.release({ body: 'held' })
    expect(await holder.reply).toMatchObject({ body: 'held' })
    await until(() => held.calls === 2, 'the second')
    held.release({ body: 'second' })
    expect(await second.reply).toMatchObject({ body: 'second' })
    await served.quiet()
    expect(held.started.map(({ url }) => url)).toEqual(['/holder', '/second'])
    expect(served.accounts()).toMatchObject({ offered: 3, success: 2, cancelled: 1, lateSettles: 0 })
  })

  it('starts a call that waited in its own async context, as tracing needs it', async () => {
    const request = new AsyncLocalStorage<string>()
    const seen: (string | undefined)[] = []
    const held = new HeldHandler()
    const handle: Handle = (call) => {
      seen.push(request.getStore())
      return held.handle(call)
    }
    const served = await serve(adapter, { handle }, { limit: 1, queueDepthMax: 5, ...patient })
    // The way instrumentation does it: around the event that brings the request.
    const { server } = served.running
    const emit = server.emit.bind(server) as (name: string, ...rest: unknown[]) => boolean
    server.emit = (name: string, ...rest: unknown[]) =>
      name === 'request'
        ? request.run((rest[0] as NodeRequest).url ?? '', () => emit(name, ...rest))
        : emit(name, ...rest)
    const replies = [served.ask({ path: '/0' }).reply]
    for (let waiting = 1; waiting <= 3; waiting++) {
      await until(() => held.calls === 1, 'the holder')
      replies.push(served.ask({ path: `/${waiting}` }).reply)
      await until(() => served.accounts().waiting === waiting, 'the waiter')
    }
    for (let call = 1; call <= 4; call++) {
      await until(() => held.calls === call, 'the next')
      held.release()
    }
    await Promise.all(replies)
    expect(seen).toEqual(['/0', '/1', '/2', '/3'])
  })

  it('tells those who have waited long enough, each with Retry-After, and then serves the living (C47)', async () => {
    const held = new HeldHandler()
    const served = await serve(adapter, held, { limit: 1, queueDepthMax: 10, waitMaxMs: 200, deadlineMs: 30_000 })
    const holder = await busy(served, held)
    const replies = await Promise.all(Array.from({ length: 5 }, () => served.ask().reply))
    for (const { status, headers } of replies) {
      expect(status).toBe(503)
      expect(headers).toMatchObject({
        'x-shed-reason': 'capacity',
        'x-shed-layer': 'service',
        'x-should-retry': 'true',
      })
      expect(headers['retry-after']).toMatch(/^[1-9]\d*$/)
    }
    // They waited, and the slot is not lost.
    expect(served.accounts()).toMatchObject({ running: 1, rejected: { capacity: { door: 0, queue: 5 } } })
    expect(held.calls).toBe(1)
    const next = served.ask({ path: '/next' })
    await until(() => served.accounts().waiting === 1, 'the next')
    held.release()
    await holder.reply
    await until(() => held.calls === 2, 'the next')
    held.release()
    expect(await next.reply).toMatchObject({ status: 200 })
    await served.quiet()
    expect(unaccounted(served.accounts())).toBe(0)
  })

  it('tells a queued caller whose deadline comes, with no advice to try again', async () => {
    const held = new HeldHandler()
    const served = await serve(adapter, held, { limit: 1, waitMaxMs: 30_000 })
    await busy(served, held)
    const { status, headers, body } = await served.ask({ headers: { 'x-request-timeout-ms': '100' } }).reply
    expect(status).toBe(503)
    expect(headers).toMatchObject({ 'x-shed-reason': 'deadline', 'x-should-retry': 'false' })
    expect(headers).not.toHaveProperty('retry-after')
    expect(JSON.parse(body)).toMatchObject({
      error: 'rejected',
      reason: 'deadline',
      stage: 'queue',
      retryAfterMs: null,
    })
    held.releaseAll()
  })

  it('serves an upload that had to wait, body and all', async () => {
    const held = new HeldHandler()
    const bodies: string[] = []
    const handle: HeldHandler['handle'] = async (call) => {
      if (call.url === '/holder') return held.handle(call)
      let text = ''
      for await (const chunk of call.request) text += String(chunk)
      bodies.push(text)
      return { body: `${text.length}` }
    }
    const served = await serve(adapter, { handle }, { limit: 1, ...patient })
    await busy(served, held)
    const upload = 'x'.repeat(300_000)
    const asked = served.ask({ method: 'POST', body: upload, headers: { 'content-type': 'text/plain' } })
    await until(() => served.accounts().waiting === 1, 'the upload')
    await turns(20)
    held.release()
    expect(await asked.reply).toMatchObject({ status: 200, body: '300000' })
    await served.quiet()
    expect(bodies).toEqual([upload])
  })

  it('starts those who wait when the limit rises', async () => {
    const held = new HeldHandler()
    const served = await serve(adapter, held, { limit: 1, ...patient })
    await busy(served, held)
    const waiting = [served.ask(), served.ask()]
    await until(() => served.accounts().waiting === 2, 'the waiters')
    served.door.setLimit(3)
    await until(() => held.calls === 3, 'their handlers')
    held.releaseAll()
    for (const { reply } of waiting) expect(await reply).toMatchObject({ status: 200 })
    await served.quiet()
    expect(served.accounts()).toMatchObject({ success: 3 })
  })
})

describe.each(named(http1.filter(({ secure }) => !secure)))('%s, pipelined', (_name, adapter) => {
  const get = (path: string): string => `GET ${path} HTTP/1.1\r\nhost: a\r\n\r\n`

  it('answers in order, and gives each permit back', async () => {
    const held = new HeldHandler()
    const served = await serve(adapter, held, { limit: 1, ...patient })
    const wire = new Wire(served.port).write(get('/1') + get('/2') + get('/3'))
    for (let turn = 1; turn <= 3; turn++) {
      await until(() => held.calls === turn, `handler ${turn}`)
      held.release({ body: `answer ${turn}.` })
    }
    await wire.hears('answer 3.')
    expect([...wire.text.matchAll(/answer \d/g)].map(String)).toEqual(['answer 1', 'answer 2', 'answer 3'])
    await served.quiet()
    expect(served.accounts()).toMatchObject({ success: 3, lateSettles: 0 })
    wire.leave()
  })

  it.each([
    ['queued', 1],
    ['running', 2],
  ])('takes the second back when the socket is lost while it is %s', async (_state, limit) => {
    const held = new HeldHandler()
    const served = await serve(adapter, held, { limit, ...patient })
    const wire = new Wire(served.port).write(get('/1') + get('/2'))
    await until(() => held.calls + served.accounts().waiting === 2, 'both')
    wire.leave()
    await until(() => served.accounts().waiting === 0, 'the second to be taken out')
    await until(() => held.started.every(({ admitted }) => admitted.signal.aborted), 'the signals')
    held.releaseAll()
    await served.quiet()
    await turns(20)
    expect(held.calls).toBe(limit)
    expect(served.accounts()).toMatchObject({ offered: 2, cancelled: 2, success: 0, lateSettles: 0 })
    expect(served.gate().abandoned).toBe(0)
  })

  it('takes many, and leaves no listeners for it', async () => {
    const warnings: Error[] = []
    const onWarning = (warning: Error): void => void warnings.push(warning)
    process.on('warning', onWarning)
    const held = new HeldHandler()
    const served = await serve(adapter, held, { limit: 1, ...patient })
    const wire = new Wire(served.port).write(Array.from({ length: 30 }, (_, index) => get(`/${index}`)).join(''))
    await until(() => held.calls + served.accounts().waiting === 30, 'all of them')
    for (let turn = 1; turn <= 30; turn++) {
      await until(() => held.calls === turn, `handler ${turn}`)
      held.release({ body: 'x' })
    }
    await until(() => wire.count('HTTP/1.1 200') === 30, 'all answers')
    await served.quiet()
    process.removeListener('warning', onWarning)
    expect(warnings).toEqual([])
    expect(served.accounts()).toMatchObject({ success: 30 })
    wire.leave()
  })

  it('refuses the one for which there is no room, in its turn', async () => {
    const held = new HeldHandler()
    const served = await serve(adapter, held, { limit: 1, queueDepthMax: 0 })
    const wire = new Wire(served.port).write(get('/1') + get('/2') + get('/3'))
    await until(() => served.accounts().rejected.capacity.door === 2, 'two refusals')
    expect(wire.text).toBe('')
    held.release({ body: 'first.' })
    await until(() => wire.count('HTTP/1.1 ') === 3, 'three answers')
    expect([...wire.text.matchAll(/HTTP\/1\.1 (\d+)/g)].map((match) => match[1])).toEqual(['200', '503', '503'])
    await served.quiet()
    wire.leave()
  })
})
