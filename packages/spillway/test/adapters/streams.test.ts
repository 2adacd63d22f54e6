// Event streams: the permit comes back when the head is sent, and the open stream is counted apart (C37).

import type { ServerResponse } from 'node:http'
import { describe, expect, it, vi } from 'vitest'
import { type Call, HeldHandler, type Result, taken } from './call.ts'
import { Wire } from './client.ts'
import { adapters, http1, named, nodeHttp, type Served, serve, unaccounted } from './harness.ts'
import { turns, until } from './wait.ts'

vi.setConfig({ testTimeout: 60_000 })

const eventStream = 'text/event-stream'

// The ways a handler may send the head of an event stream.
const heads: readonly [string, (response: ServerResponse) => unknown][] = [
  ['writeHead with an object', (response) => response.writeHead(200, { 'content-type': eventStream })],
  ['writeHead with a reason', (response) => response.writeHead(200, 'OK', { 'Content-Type': eventStream })],
  [
    'writeHead with a flat array',
    (response) => response.writeHead(200, ['Content-Type', `${eventStream}; charset=utf-8`]),
  ],
  [
    'setHeader and flushHeaders',
    (response) => {
      response.statusCode = 200
      response.setHeader('Content-Type', 'TEXT/EVENT-STREAM')
      response.flushHeaders()
    },
  ],
  [
    'setHeader and a first write',
    (response) => {
      response.statusCode = 200
      response.setHeader('content-type', eventStream)
      response.write('data: 0\n\n')
    },
  ],
  [
    'setHeader, and writeHead with other headers',
    (response) => {
      response.setHeader('content-type', eventStream)
      response.writeHead(200, { 'cache-control': 'no-store' })
    },
  ],
  [
    'writeHead over what was set',
    (response) => {
      response.setHeader('content-type', 'text/plain')
      response.writeHead(200, { 'content-type': eventStream })
    },
  ],
]

class Streams {
  readonly calls: Call[] = []
  readonly #sendHead: (response: ServerResponse) => unknown
  readonly #later: boolean

  constructor(sendHead: (response: ServerResponse) => unknown, later: boolean) {
    this.#sendHead = sendHead
    this.#later = later
  }

  readonly handle = (call: Call): Result => {
    const send = (): void => {
      const response = call.response as ServerResponse
      this.#sendHead(response)
      response.write('data: 1\n\n')
      this.calls.push(call)
    }
    if (this.#later) setImmediate(send)
    else send()
    return taken
  }

  end(index: number): void {
    const response = this.calls[index]?.response as ServerResponse | undefined
    response?.end()
  }
}

async function opened(served: Served, streams: Streams) {
  const asked = served.ask()
  const before = streams.calls.length
  await until(() => streams.calls.length > before, 'the stream')
  await asked.head
  return asked
}

describe.each(named(adapters))('%s', (_name, adapter) => {
  it.each(
    heads.flatMap(([title, head]) =>
      [false, true].map((later) => [title, later ? 'later' : 'at once', head, later] as const),
    ),
  )('sees the head of a stream sent with %s, %s', async (_title, _when, head, later) => {
    const streams = new Streams(head, later)
    const served = await serve(adapter, streams, { limit: 1, queueDepthMax: 0 })
    const first = await opened(served, streams)
    await until(() => served.gate().streams === 1, 'the gauge')
    expect(served.accounts()).toMatchObject({ running: 0, success: 1 })
    // The slot is free for the next.
    const second = await opened(served, streams)
    await until(() => served.gate().streams === 2, 'the gauge')
    streams.end(0)
    expect(await first.reply).toMatchObject({ status: 200 })
    await until(() => served.gate().streams === 1, 'the gauge')
    second.leave()
    await until(() => served.gate().streams === 0, 'the gauge')
    expect(streams.calls[1]?.admitted.signal.aborted).toBe(true)
    expect(served.accounts()).toMatchObject({ offered: 2, success: 2, cancelled: 0, lateSettles: 0 })
  })

  it('keeps the permit of a stream above the bound of streams', async () => {
    const streams = new Streams(heads[0]?.[1] as (response: ServerResponse) => unknown, true)
    const served = await serve(adapter, streams, { limit: 2, queueDepthMax: 0, streamsMax: 1 })
    await opened(served, streams)
    const second = await opened(served, streams)
    await turns(10)
    expect(served.gate().streams).toBe(1)
    expect(served.accounts()).toMatchObject({ running: 1, success: 1 })
    streams.end(1)
    await second.reply
    await served.quiet()
    expect(served.accounts()).toMatchObject({ success: 2, lateSettles: 0 })
    streams.end(0)
  })

  it('takes other types for streams when told to, and their answers with a length for answers', async () => {
    const handle = (call: Call): Result => {
      if (call.url === '/short') return { headers: { 'content-type': 'application/x-ndjson' }, body: '{}' }
      const response = call.response as ServerResponse
      response.writeHead(200, { 'content-type': 'application/x-ndjson' })
      response.write('{}\n')
      return taken
    }
    const served = await serve(adapter, { handle }, { limit: 1, streamTypes: ['Application/X-NDJSON'] })
    expect(await served.get('/short')).toMatchObject({ status: 200, body: '{}' })
    await served.quiet()
    expect(served.gate().streams).toBe(0)
    const asked = served.ask()
    await asked.head
    await until(() => served.gate().streams === 1, 'the gauge')
    asked.leave()
    await until(() => served.gate().streams === 0, 'the gauge')
  })

  it('tells streams that the process goes away', async () => {
    const streams = new Streams(heads[0]?.[1] as (response: ServerResponse) => unknown, false)
    const served = await serve(adapter, streams, { limit: 5 })
    await opened(served, streams)
    await until(() => served.gate().streams === 1, 'the gauge')
    const before = streams.calls[0]?.admitted.signal
    expect(before?.aborted).toBe(false)
    served.behind.goAway()
    expect(before?.aborted).toBe(true)
    await opened(served, streams)
    await until(() => served.gate().streams === 2, 'the gauge')
    expect(streams.calls[1]?.admitted.signal.aborted).toBe(true)
    streams.end(0)
    streams.end(1)
  })
})

describe.each(named(http1))('%s', (_name, adapter) => {
  it('leaves it to the framework that a head is sent once only', async () => {
    const errors: unknown[] = []
    const handle = async (call: Call): Promise<Result> => {
      await undefined
      const response = call.response as ServerResponse
      response.writeHead(201, 'Made', { 'x-one': '1' })
      try {
        response.writeHead(202)
      } catch (error) {
        errors.push((error as { code?: string }).code)
      }
      response.end('once')
      return taken
    }
    const served = await serve(adapter, { handle }, { limit: 1 })
    const reply = await served.ask().reply
    expect(reply).toMatchObject({ status: 201, body: 'once' })
    expect(reply.headers['x-one']).toBe('1')
    expect(errors).toEqual(['ERR_HTTP_HEADERS_SENT'])
    await served.quiet()
    expect(served.accounts()).toMatchObject({ success: 1 })
  })
})

it('a stream of HTTP/1.0, which ends with its connection, is a stream too', async () => {
  const streams = new Streams(heads[0]?.[1] as (response: ServerResponse) => unknown, true)
  const served = await serve(nodeHttp, streams, { limit: 1 })
  const wire = new Wire(served.port).write('GET / HTTP/1.0\r\n\r\n')
  await wire.hears('data: 1')
  await until(() => served.gate().streams === 1, 'the gauge')
  wire.leave()
  await until(() => served.gate().streams === 0, 'the gauge')
})

it('a held call that is no stream keeps its permit however long it is', async () => {
  const held = new HeldHandler()
  const served = await serve(nodeHttp, held, { limit: 1 })
  const asked = served.ask()
  await until(() => held.calls === 1, 'the handler')
  held.release({ headers: { 'content-type': 'text/event-streams-not' }, body: 'x' })
  await asked.reply
  await served.quiet()
  expect(served.gate().streams).toBe(0)
})

describe.each(named(http1.filter(({ secure }) => !secure)))('%s, read slowly', (_name, adapter) => {
  it('gives the permit back soon, and counts a stream until the caller leaves', async () => {
    const body = Buffer.alloc(32 * 1024 * 1024, 'x')
    const served = await serve(adapter, { handle: () => ({ body }) }, { limit: 1 })
    const reader = new Wire(served.port).pause().write('GET / HTTP/1.1\r\nhost: a\r\n\r\n')
    await until(() => served.accounts().running === 1, 'the permit')
    await until(() => served.accounts().running === 0, 'the permit to come back')
    expect(served.accounts()).toMatchObject({ success: 1 })
    expect(served.gate().streams).toBe(1)
    reader.leave()
    await until(() => served.gate().streams === 0, 'the end of the stream')
    expect(unaccounted(served.accounts())).toBe(0)
  })
})
