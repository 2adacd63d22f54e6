// Every adapter, every way a request can end, on real sockets: the permit comes back, once, and the accounts add up.

import { afterEach, describe, expect, it } from 'vitest'
import type { ProtectOptions } from '../../src/surface/create-gate.ts'
import { type Call, type CallOptions, call, type Reply, until } from './client.ts'
import { type Adapter, type Answer, adapters, type Handle, type Served } from './harness.ts'

let open: Served | undefined

afterEach(async () => {
  await open?.close()
  open = undefined
})

async function start(adapter: Adapter, handle: Handle, options: ProtectOptions) {
  const served = await adapter.start(handle, options)
  open = served
  const { port, door, behind } = served
  const ask = (options?: CallOptions): Call => call(port, adapter.http2, options)
  const reply = async (options?: CallOptions): Promise<Reply> => {
    const answer = await ask(options).reply
    if (answer === undefined) throw new Error('no answer')
    return answer
  }
  const idle = () => until(() => door.inFlight === 0 && door.waiting === 0)
  return { door, behind, ask, reply, idle }
}

function addsUp(door: Served['door']): boolean {
  const accounts = door.snapshot()
  const rejected = Object.values(accounts.rejected).reduce((sum, { door, queue }) => sum + door + queue, 0)
  const { running, waiting, success, ignored, dropped, reclaimed, cancelled, offered } = accounts
  return running + waiting + success + ignored + dropped + reclaimed + cancelled + rejected === offered
}

const answerAtOnce = async (): Promise<Answer> => ({})

// A handler that waits until it is told to go on.
function gated() {
  const { promise, resolve } = Promise.withResolvers<void>()
  let started = 0
  const handle: Handle = async () => {
    started++
    await promise
    return {}
  }
  return { handle, goOn: resolve, started: () => started }
}

describe.each(adapters.map((adapter) => ({ adapter, name: adapter.name })))('$name', ({ adapter }) => {
  it.each([
    ['GET', 200],
    ['HEAD', 200],
    ['GET', 204],
    ['GET', 304],
    ['POST', 200],
    ['GET', 404],
    ['GET', 500],
  ])('gives the permit back after %s %i', async (method, status) => {
    const { door, reply, idle } = await start(adapter, async () => ({ status }), { limit: 1 })
    for (let index = 0; index < 5; index++) {
      const answer = await reply({ method, ...(method === 'POST' ? { body: 'x' } : {}) })
      expect(answer.status).toBe(status)
      await idle()
    }
    expect(door.snapshot()).toMatchObject(status < 400 ? { success: 5, good: 5 } : { ignored: 5 })
  })

  it('gives the permit back when the handler leaves before the whole of it went out', async () => {
    const { door, ask, idle } = await start(adapter, async () => ({ body: 'x'.repeat(5_000_000) }), { limit: 1 })
    const caller = ask()
    await caller.head
    caller.leave()
    await idle()
    expect(addsUp(door)).toBe(true)
  })

  it('C01: holds the permit of a caller who left until its work has ended, then counts it as cancelled', async () => {
    const { handle, goOn, started } = gated()
    let signal: AbortSignal | undefined
    const { door, behind, ask, idle } = await start(
      adapter,
      (raw, admitted, request) => {
        signal = admitted.signal
        return handle(raw, admitted, request)
      },
      { limit: 1 },
    )
    const caller = ask()
    await until(() => started() === 1)
    caller.leave()
    await until(() => signal?.aborted === true)
    if (adapter.seesPromises) {
      expect([door.inFlight, behind.gateSnapshot().abandoned]).toEqual([1, 1])
    }
    goOn()
    await idle()
    expect(door.snapshot()).toMatchObject({ cancelled: 1, success: 0 })
    expect(behind.gateSnapshot().abandoned).toBe(0)
  })

  it('C02: never runs more than the limit nor loses count over a crowd of which half leaves', async () => {
    let running = 0
    let most = 0
    const { door, ask, idle } = await start(
      adapter,
      async () => {
        running++
        most = Math.max(most, running)
        await new Promise((resolve) => setImmediate(resolve))
        running--
        return {}
      },
      { limit: 2, waitMaxMs: 10_000, deadlineMs: 60_000 },
    )
    for (let round = 0; round < 10; round++) {
      const callers = Array.from({ length: 20 }, (_, index) => ask({ method: index % 3 === 0 ? 'HEAD' : 'GET' }))
      for (const [index, caller] of callers.entries()) if (index % 2 === 0) caller.leave()
      await Promise.all(callers.map((caller) => caller.reply))
      await idle()
    }
    if (adapter.seesPromises) expect(most).toBeLessThanOrEqual(2)
    expect(addsUp(door)).toBe(true)
    expect(door.snapshot().lateSettles).toBe(0)
  })

  it('C13: takes a queued caller who leaves out at once, and never calls its handler', async () => {
    const { handle, goOn, started } = gated()
    const { door, ask, idle } = await start(adapter, handle, { limit: 1, waitMaxMs: 10_000, deadlineMs: 60_000 })
    const first = ask()
    await until(() => started() === 1)
    const gone = ask()
    await until(() => door.waiting === 1)
    const next = ask()
    await until(() => door.waiting === 2)
    gone.leave()
    await until(() => door.waiting === 1)
    goOn()
    expect((await first.reply)?.status).toBe(200)
    expect((await next.reply)?.status).toBe(200)
    await idle()
    expect(started()).toBe(2)
    expect(door.snapshot()).toMatchObject({ success: 2, cancelled: 1 })
  })

  it('refuses before any handler runs, with its reason and its numbers', async () => {
    const { handle, goOn, started } = gated()
    const { ask, reply, idle } = await start(adapter, handle, { limit: 1, waitMaxMs: 0 })
    const first = ask()
    await until(() => started() === 1)
    const { status, headers, body } = await reply({ method: 'POST', body: 'small' })
    expect(status).toBe(503)
    expect(headers).toMatchObject({ 'x-shed-reason': 'capacity', 'x-shed-layer': 'service', 'x-should-retry': 'true' })
    expect(Number(headers['retry-after'])).toBeGreaterThanOrEqual(1)
    expect(JSON.parse(body)).toMatchObject({
      error: 'rejected',
      reason: 'capacity',
      stage: 'door',
      limit: 1,
      inFlight: 1,
    })
    const late = await reply({ headers: { 'x-request-timeout-ms': '0' } })
    expect([late.status, late.headers['x-shed-reason'], late.headers['retry-after']]).toEqual([
      503,
      'deadline',
      undefined,
    ])
    const head = await reply({ method: 'HEAD' })
    expect([head.status, head.body]).toEqual([503, ''])
    expect(started()).toBe(1)
    goOn()
    await first.reply
    await idle()
  })

  it('C140: reaches a caller who is still uploading 8 MB', async () => {
    const { handle, goOn, started } = gated()
    const { ask, idle } = await start(adapter, handle, { limit: 1, waitMaxMs: 0 })
    const first = ask()
    await until(() => started() === 1)
    const body = Buffer.alloc(8_000_000)
    let told = 0
    for (let trial = 0; trial < 20; trial++) {
      const caller = ask({ method: 'POST', body })
      await Promise.race([caller.head.then(() => told++), caller.reply])
      caller.leave()
    }
    expect(told).toBe(20)
    goOn()
    await first.reply
    await idle()
  })

  it('C25: answers health checks beside a full door, exact paths and GET or HEAD only', async () => {
    const { handle, goOn, started } = gated()
    const { door, ask, reply } = await start(
      adapter,
      (raw, admitted, request) => (request.url?.includes('live') ? answerAtOnce() : handle(raw, admitted, request)),
      { limit: 1, waitMaxMs: 0 },
    )
    const first = ask()
    await until(() => started() === 1)
    const statuses: number[] = []
    for (const path of ['/livez', '/livez?full=1', '/livez/', '//livez', '/LIVEZ'])
      statuses.push((await reply({ path })).status)
    expect(statuses).toEqual([200, 200, 503, 503, 503])
    expect((await reply({ path: '/livez', method: 'POST', body: '' })).status).toBe(503)
    expect(door.snapshot().offered).toBe(5)
    goOn()
    await first.reply
  })

  it('C37: gives the permit of server-sent events back with their head, and counts the stream', async () => {
    const streams: { end(): void }[] = []
    const { door, behind, ask } = await start(
      adapter,
      async (raw) => {
        raw.writeHead(200, { 'content-type': 'text/event-stream' })
        raw.write('data: 1\n\n')
        streams.push(raw)
        await new Promise<void>((resolve) => raw.once('close', resolve))
        return {}
      },
      { limit: 1, streamsMax: 2 },
    )
    const callers = [ask(), undefined, undefined].slice(0, 1) as Call[]
    await callers[0]?.head
    callers.push(ask())
    await callers[1]?.head
    expect([door.inFlight, behind.gateSnapshot().streams]).toEqual([0, 2])
    callers.push(ask())
    await callers[2]?.head
    // The bound of streams is reached: this one keeps its permit.
    expect([door.inFlight, behind.gateSnapshot().streams]).toEqual([1, 2])
    for (const caller of callers) caller.leave()
    await until(() => door.inFlight === 0 && behind.gateSnapshot().streams === 0)
    expect(addsUp(door)).toBe(true)
  })

  it('names every wrong option of its own at once', async () => {
    const wrong = {
      limit: 0,
      healthMax: -1,
      healthPaths: ['no-slash'],
      release: 'never',
      trustedPeers: ['10.0.0.0/99'],
    } as never
    await expect((async () => adapter.start(answerAtOnce, wrong))()).rejects.toThrow(
      /limit must be .*; healthPaths must be .*; healthMax must be .*; release must be .*; trustedPeers must be/,
    )
  })
})
