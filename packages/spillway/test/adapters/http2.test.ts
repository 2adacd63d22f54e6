// HTTP/2: streams that are reset at any moment, and sessions that are lost with all their streams.

import { type ClientHttp2Stream, constants } from 'node:http2'
import { describe, expect, it, vi } from 'vitest'
import { SeededStream } from '../../src/structures/prng.ts'
import { type Answer, type Call, HeldHandler, type Result, taken } from './call.ts'
import { nodeHttp2, type Served, serve, unaccounted } from './harness.ts'
import { turns, until } from './wait.ts'

vi.setConfig({ testTimeout: 60_000 })

const { NGHTTP2_CANCEL, NGHTTP2_NO_ERROR, NGHTTP2_INTERNAL_ERROR } = constants
const body = Buffer.alloc(200 * 1024, 'x')

// Opens a stream and resets it when so many turns of the loop have passed, wherever it is then.
async function resetAfter(served: Served, turnsLeft: number, code: number, upload: boolean): Promise<void> {
  const stream: ClientHttp2Stream = served.session.request(
    { ':method': upload ? 'POST' : 'GET', ':path': '/' },
    { endStream: !upload },
  )
  stream.on('error', () => undefined)
  stream.resume()
  if (upload) stream.write('some')
  await turns(turnsLeft)
  if (!stream.closed) stream.close(code)
  await until(() => stream.destroyed || stream.closed, 'the end of the stream')
}

function sessionOf({ response }: Call): { destroy(): void } {
  return (response as { stream: { session: { destroy(): void } } }).stream.session
}

describe('node:http2', () => {
  it('gives every permit back when 200 streams are reset at random moments and the session then destroyed (C14)', async () => {
    const seed = 20_261_201
    const random = new SeededStream(seed, 'resets')
    const handle = async (call: Call): Promise<Answer> => {
      await turns(Math.floor(random.next() * 4))
      call.admitted.signal.aborted
      return { body }
    }
    const served = await serve(nodeHttp2, { handle }, { limit: 20, queueDepthMax: 10, waitMaxMs: 50 })
    const codes = [NGHTTP2_CANCEL, NGHTTP2_NO_ERROR, NGHTTP2_INTERNAL_ERROR]
    const streams = Array.from({ length: 200 }, (_, index) =>
      resetAfter(served, Math.floor(random.next() * 12), codes[index % 3] as number, index % 5 === 0),
    )
    await Promise.all(streams)
    await served.quiet()
    const held = Array.from({ length: 20 }, () => served.session.request({ ':path': '/' }))
    for (const stream of held) stream.on('error', () => undefined)
    await turns(3)
    served.session.destroy()
    await served.quiet()
    await turns(20)
    expect(served.accounts(), `seed ${seed}`).toMatchObject({
      running: 0,
      waiting: 0,
      lateSettles: 0,
      callbackErrors: 0,
    })
    expect(unaccounted(served.accounts())).toBe(0)
    expect(served.gate()).toMatchObject({ streams: 0, abandoned: 0 })
  })

  it.each(['client', 'server'])('gives all permits back when the %s destroys the session', async (side) => {
    const held = new HeldHandler()
    const served = await serve(nodeHttp2, held, { limit: 3, queueDepthMax: 5, waitMaxMs: 30_000, deadlineMs: 30_000 })
    for (let index = 0; index < 5; index++) served.ask()
    await until(() => held.calls === 3 && served.accounts().waiting === 2, 'three to run and two to wait')
    if (side === 'client') served.session.destroy()
    else sessionOf(held.started[0] as Call).destroy()
    await until(() => served.accounts().waiting === 0, 'the waiters to be taken out')
    await until(() => served.gate().abandoned === 3, 'the signals')
    expect(held.started.every(({ admitted }) => admitted.signal.aborted)).toBe(true)
    held.releaseAll()
    await served.quiet()
    expect(held.calls).toBe(3)
    expect(served.accounts()).toMatchObject({ offered: 5, cancelled: 5, success: 0, lateSettles: 0 })
  })

  it('takes an answer that was reset in its body for not complete, and one that was read for complete', async () => {
    const served = await serve(nodeHttp2, { handle: () => ({ body: Buffer.alloc(2 * 1024 * 1024) }) }, { limit: 1 })
    const stream = served.session.request({ ':path': '/' })
    stream.on('error', () => undefined)
    await new Promise((resolve) => stream.once('response', resolve))
    stream.close(NGHTTP2_CANCEL)
    await served.quiet()
    expect(served.accounts()).toMatchObject({ cancelled: 1, success: 0 })
    expect((await served.ask().reply).body.length).toBe(2 * 1024 * 1024)
    await served.quiet()
    expect(served.accounts()).toMatchObject({ cancelled: 1, success: 1 })
  })

  it('gives the permit back when the answer is out, although the caller still sends what nobody reads', async () => {
    const handle = async ({ request }: Call): Promise<Answer> => {
      // Having read a little, Node waits for the rest.
      await new Promise((resolve) => request.once('data', resolve))
      request.pause()
      return { body: 'enough' }
    }
    const served = await serve(nodeHttp2, { handle }, { limit: 1 })
    const stream = served.session.request({ ':method': 'POST', ':path': '/' })
    stream.on('error', () => undefined)
    stream.resume()
    stream.write(Buffer.alloc(512 * 1024))
    await until(() => served.accounts().offered === 1, 'the call')
    await served.quiet()
    expect(served.accounts()).toMatchObject({ success: 1, cancelled: 0 })
    stream.close(NGHTTP2_CANCEL)
  })

  it('believes only trusted peers, by the address of the session', async () => {
    const seen: string[] = []
    const served = await serve(
      nodeHttp2,
      { handle: () => ({ body: 'ok' }) },
      { limit: 1, trustedPeers: (address) => seen.push(address) > 0 },
    )
    await served.get('/', { 'x-criticality': 'critical' })
    await served.get('/')
    expect(seen).toEqual(['127.0.0.1'])
    expect(served.gate().headers).toEqual({ malformed: 0, skewed: 0, untrusted: 0 })
  })

  it('answers a handler that writes to a stream that is gone with nothing worse than silence', async () => {
    let call: Call | undefined
    const handle = (given: Call): Result => {
      call = given
      return taken
    }
    const served = await serve(nodeHttp2, { handle }, { limit: 1 })
    const asked = served.ask()
    await until(() => call !== undefined, 'the handler')
    asked.leave()
    await served.quiet()
    const response = call?.response as { writeHead(status: number): void; end(text: string): void }
    response.writeHead(200)
    response.end('late')
    await turns(10)
    expect(served.accounts()).toMatchObject({ cancelled: 1, lateSettles: 0 })
  })
})
