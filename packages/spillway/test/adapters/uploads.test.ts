// Refusing a caller who is still uploading: the answer reaches it, and the upload costs next to nothing (C139, C140, C142,
// C144, C146).

import { request } from 'node:http'
import { type ClientHttp2Session, connect } from 'node:http2'
import type { Socket } from 'node:net'
import { describe, expect, it, vi } from 'vitest'
import { HeldHandler } from './call.ts'
import { Wire } from './client.ts'
import { type Adapter, http1, named, nodeHttp, nodeHttp2, type Served, serve } from './harness.ts'
import { until } from './wait.ts'

vi.setConfig({ testTimeout: 60_000 })

const full = { limit: 1, queueDepthMax: 0 } as const
const eightMb = Buffer.alloc(8 * 1024 * 1024, 'x')
const oneMb = Buffer.alloc(1024 * 1024, 'x')
const chunkedHead = 'POST / HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\n'
const clear = named(http1.filter(({ secure }) => !secure))

async function filled(adapter: Adapter): Promise<Served> {
  const held = new HeldHandler()
  const served = await serve(adapter, held, full)
  served.ask()
  await until(() => held.calls === 1, 'the holder')
  return served
}

/** Runs a trial many times, some at once; how often it came out true. */
async function trials(count: number, trial: () => Promise<boolean>): Promise<number> {
  let good = 0
  let left = count
  const worker = async (): Promise<void> => {
    while (left-- > 0) if (await trial()) good++
  }
  await Promise.all(Array.from({ length: 8 }, worker))
  return good
}

function postWithHttp(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const headers = { 'content-length': eightMb.length }
    const posting = request({ port, host: '127.0.0.1', method: 'POST', headers, agent: false })
    posting.once('response', (response) => {
      let body = ''
      response.on('data', (chunk: Buffer) => {
        body += chunk.toString()
      })
      response.once('end', () => {
        resolve(response.statusCode === 503 && body.includes('"capacity"'))
        posting.destroy()
      })
      response.once('error', () => resolve(false))
    })
    posting.once('error', () => resolve(false))
    posting.end(eightMb)
  })
}

async function postWithFetch(port: number): Promise<boolean> {
  try {
    const response = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: oneMb })
    const body = await response.text()
    return response.status === 503 && body.includes('"capacity"')
  } catch {
    return false
  }
}

// Reads nothing before it has written everything, as simple clients do.
async function postThenRead(port: number): Promise<boolean> {
  const wire = new Wire(port)
  wire.socket.pause()
  const body = Buffer.alloc(240 * 1024, 'x')
  await new Promise<void>((resolve) => {
    wire.socket.write(`POST / HTTP/1.1\r\nhost: a\r\ncontent-length: ${body.length}\r\n\r\n`)
    wire.socket.write(body, () => resolve())
  })
  wire.socket.resume()
  await until(() => wire.text.includes('retryAfterMs') || wire.closed, 'an answer')
  wire.leave()
  return wire.text.startsWith('HTTP/1.1 503')
}

describe.each(clear)('%s', (_name, adapter) => {
  it('is heard by at least 99 of 100 who send 8 MB with node:http (C140)', async () => {
    const served = await filled(adapter)
    expect(await trials(100, () => postWithHttp(served.port))).toBeGreaterThanOrEqual(99)
    expect(served.accounts().rejected.capacity.door).toBe(100)
    expect(served.accounts().inFlight).toBe(1)
  })

  it('is heard by those who write all before they read, up to the bound', async () => {
    const served = await filled(adapter)
    expect(await trials(40, () => postThenRead(served.port))).toBe(40)
    await until(() => served.gate().draining === 0, 'the end of the drains')
  })

  it('reads a small chunked upload to its end, and keeps the connection', async () => {
    const served = await filled(adapter)
    const wire = new Wire(served.port).write(`${chunkedHead}5\r\nhello\r\n0\r\n\r\n`)
    await wire.hears('"capacity"')
    wire.write('GET /healthz HTTP/1.1\r\nhost: a\r\n\r\n')
    await until(() => served.gate().health === 1, 'the next request')
  })
})

describe('node:http', () => {
  it('is heard by at least 99 of 100 who send 1 MB with fetch (C140)', async () => {
    const served = await filled(nodeHttp)
    expect(await trials(100, () => postWithFetch(served.port))).toBeGreaterThanOrEqual(99)
  })

  it('reads no more of a large upload than its bound, however long the caller sends (C142)', async () => {
    const served = await filled(nodeHttp)
    const sockets: Socket[] = []
    served.running.server.on('connection', (socket: Socket) => void sockets.push(socket))
    const length = 64 * 1024 * 1024
    const announced = new Wire(served.port).write(`POST / HTTP/1.1\r\nhost: a\r\ncontent-length: ${length}\r\n\r\n`)
    announced.write(Buffer.alloc(length))
    const chunked = new Wire(served.port).write(`${chunkedHead}4000000\r\n`).write(Buffer.alloc(length))
    await announced.hears('"capacity"')
    await chunked.hears('"capacity"')
    expect(announced.text).toContain('connection: close')
    await until(() => announced.closed && chunked.closed, 'the end of both')
    expect(sockets.length).toBe(2)
    for (const { bytesRead } of sockets) expect(bytesRead).toBeLessThan(1024 * 1024)
    expect(served.gate().draining).toBe(0)
  })

  it('closes the connection of a slow sender when its time is up (C146)', async () => {
    const served = await filled(nodeHttp)
    const wire = new Wire(served.port).write('POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 1000\r\n\r\nx')
    await wire.hears('"capacity"')
    expect(served.gate().draining).toBe(1)
    await until(() => wire.closed || wire.ended, 'the end of the connection')
    await until(() => served.gate().draining === 0, 'the end of the drain')
  })

  it('notices a caller who disappears while it is read', async () => {
    const served = await filled(nodeHttp)
    const wire = new Wire(served.port).write('POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 1000\r\n\r\nx')
    await wire.hears('"capacity"')
    expect(served.gate().draining).toBe(1)
    wire.leave()
    await until(() => served.gate().draining === 0, 'the end of the drain')
    expect(served.accounts().inFlight).toBe(1)
  })

  it('reads at most 256 refused callers at once; the rest is closed at once', async () => {
    const served = await filled(nodeHttp)
    const wires = Array.from({ length: 260 }, () =>
      new Wire(served.port).write('POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 1000\r\n\r\nx'),
    )
    await until(() => wires.every(({ text }) => text.includes('"capacity"')), 'all answers')
    expect(served.gate().draining).toBeLessThanOrEqual(256)
    await until(() => wires.filter(({ closed, ended }) => closed || ended).length >= 4, 'the end of four')
    for (const wire of wires) wire.leave()
    await until(() => served.gate().draining === 0, 'the end of the drains')
  })

  it('answers a HEAD that has a body, with none of its own, before the body has come', async () => {
    const served = await filled(nodeHttp)
    const wire = new Wire(served.port).write('HEAD / HTTP/1.1\r\nhost: a\r\ncontent-length: 5\r\n\r\n')
    await wire.hears('\r\n\r\n')
    expect(wire.text).toMatch(/^HTTP\/1\.1 503/)
    wire.write('hello').write('GET /healthz HTTP/1.1\r\nhost: a\r\n\r\n')
    await until(() => served.gate().health === 1, 'the next request')
    expect(wire.text.endsWith('\r\n\r\n')).toBe(true)
  })

  it('refuses a caller who asks first (Expect: 100-continue), and keeps its connection', async () => {
    const served = await filled(nodeHttp)
    const wire = new Wire(served.port)
    wire.write('POST / HTTP/1.1\r\nhost: a\r\nexpect: 100-continue\r\ncontent-length: 5\r\n\r\n')
    // Node itself has said "continue" before anyone is asked.
    await wire.hears('HTTP/1.1 100')
    await wire.hears('"capacity"')
    wire.write('hello').write('GET /healthz HTTP/1.1\r\nhost: a\r\n\r\n')
    await until(() => served.gate().health === 1, 'the next request')
  })

  it('refuses a caller who asks first before it sends, when the door answers for 100-continue too', async () => {
    const served = await filled(nodeHttp)
    const { server, behind } = served.running
    server.on('checkContinue', behind as unknown as (...args: unknown[]) => void)
    const wire = new Wire(served.port)
    wire.write('POST / HTTP/1.1\r\nhost: a\r\nexpect: 100-continue\r\ncontent-length: 5\r\n\r\n')
    await wire.hears('"capacity"')
    expect(wire.text).not.toContain('HTTP/1.1 100')
    wire.leave()
    await until(() => served.gate().draining === 0, 'the end of the drain')
  })
})

// Uploads on a stream of its own until the stream is reset; whether the answer was seen whole, and called no error.
async function uploadAndSee(session: ClientHttp2Session, body: Buffer): Promise<boolean> {
  const stream = session.request({ ':method': 'POST', ':path': '/' })
  let status = 0
  let text = ''
  stream.on('response', (headers) => {
    status = Number(headers[':status'])
  })
  stream.on('data', (chunk: Buffer) => {
    text += chunk.toString()
  })
  stream.on('error', () => undefined)
  stream.write(body)
  await until(() => stream.closed && stream.readableEnded, 'the reset')
  stream.destroy()
  return status === 503 && text.includes('"capacity"') && stream.rstCode === 0
}

describe('node:http2', () => {
  it('answers an upload of 8 MB and resets its stream with NO_ERROR (C140)', async () => {
    const served = await filled(nodeHttp2)
    let heard = 0
    for (let trial = 0; trial < 100; trial++) {
      const session = connect(`http://127.0.0.1:${served.port}`)
      if (await uploadAndSee(session, eightMb)) heard++
      session.destroy()
    }
    expect(heard).toBeGreaterThanOrEqual(99)
  })

  it('keeps the session of a refused upload', async () => {
    const held = new HeldHandler()
    const served = await serve(nodeHttp2, held, full)
    const holder = served.ask()
    await until(() => held.calls === 1, 'the holder')
    for (let turn = 0; turn < 20; turn++) {
      expect(await uploadAndSee(served.session, Buffer.alloc(200 * 1024))).toBe(true)
    }
    held.release()
    expect(await holder.reply).toMatchObject({ status: 200 })
    await served.quiet()
  })
})
