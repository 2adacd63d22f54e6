// Upgrades: the handshake is the work and holds the permit, the open socket is a stream.

import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import type { Duplex } from 'node:stream'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { type ProtectOptions, protectUpgrade, type UpgradeHandler } from '../../src/adapters/node-http.ts'
import { Wire } from './client.ts'
import { listening, unaccounted } from './harness.ts'
import { turns, until } from './wait.ts'

vi.setConfig({ testTimeout: 60_000 })

const key = 'dGhlIHNhbXBsZSBub25jZQ=='
// RFC 6455 §1.3 has this pair.
const accept = 's3pPLMBiTxaQ9kYGzzhZRbK+xOo='
const knock =
  'GET /socket HTTP/1.1\r\nhost: a\r\nconnection: Upgrade\r\nupgrade: websocket\r\n' +
  `sec-websocket-version: 13\r\nsec-websocket-key: ${key}\r\n\r\n`

const shake: UpgradeHandler = (request, socket) => {
  const digest = createHash('sha1').update(
    `${request.headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`,
  )
  const head = 'HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: Upgrade\r\n'
  socket.on('error', () => undefined)
  socket.on('end', () => socket.end())
  socket.write(`${head}sec-websocket-accept: ${digest.digest('base64')}\r\n\r\n`)
  // Sends back what it hears.
  socket.on('data', (chunk) => socket.write(chunk))
}

async function serveUpgrades(handler: UpgradeHandler, options: ProtectOptions) {
  const behind = protectUpgrade(handler, options)
  const server = createServer().on('upgrade', behind)
  const { port, close } = await listening(server)
  onTestFinished(close)
  const { door } = behind
  const quiet = (): Promise<void> => until(() => door.inFlight === 0 && door.waiting === 0, 'nothing in flight')
  return { behind, door, port, gate: () => behind.gateSnapshot(), quiet, knock: () => new Wire(port).write(knock) }
}

// Handshakes that wait for a word.
class HeldShakes {
  calls = 0
  signals: AbortSignal[] = []
  readonly #go: (() => void)[] = []

  readonly handler: UpgradeHandler = async (request, socket, head, admitted) => {
    this.calls++
    this.signals.push(admitted.signal)
    await new Promise<void>((resolve) => this.#go.push(resolve))
    shake(request, socket, head, admitted)
  }

  go(): void {
    this.#go.shift()?.()
  }
}

const patient = { waitMaxMs: 30_000, deadlineMs: 30_000 } as const

describe('an upgrade', () => {
  it('gives its permit back after the handshake, and counts as a stream until the socket closes', async () => {
    const at = await serveUpgrades(shake, { limit: 1, queueDepthMax: 0 })
    const wires = [at.knock(), at.knock(), at.knock()]
    for (const wire of wires) await wire.hears(`sec-websocket-accept: ${accept}`)
    expect(at.gate().streams).toBe(3)
    expect(at.door.snapshot()).toMatchObject({ running: 0, success: 3 })
    wires[0]?.write('hello')
    await wires[0]?.hears('hello')
    wires[0]?.leave()
    await until(() => at.gate().streams === 2, 'the first to close')
    wires[1]?.socket.end()
    await until(() => at.gate().streams === 1, 'the second to close')
    wires[2]?.socket.resetAndDestroy()
    await until(() => at.gate().streams === 0, 'the third to close')
    expect(at.door.snapshot()).toMatchObject({ offered: 3, success: 3, cancelled: 0, lateSettles: 0 })
  })

  it('holds its permit while the handshake lasts', async () => {
    const shakes = new HeldShakes()
    const at = await serveUpgrades(shakes.handler, { limit: 1, queueDepthMax: 5, ...patient })
    const first = at.knock()
    await until(() => shakes.calls === 1, 'the first handshake')
    const second = at.knock()
    await until(() => at.door.waiting === 1, 'the second to wait')
    shakes.go()
    await first.hears(accept)
    await until(() => shakes.calls === 2, 'the second handshake')
    shakes.go()
    await second.hears(accept)
    expect(at.gate().streams).toBe(2)
    expect(at.door.snapshot()).toMatchObject({ running: 0, success: 2 })
  })

  it('is refused as HTTP, with the reason, and the connection ends', async () => {
    const shakes = new HeldShakes()
    const at = await serveUpgrades(shakes.handler, { limit: 1, queueDepthMax: 0 })
    at.knock()
    await until(() => shakes.calls === 1, 'the holder')
    const wire = at.knock()
    await wire.hears('"reason":"capacity"')
    await until(() => wire.ended, 'the end of the connection')
    const [head = '', body = ''] = wire.text.split('\r\n\r\n')
    expect(head).toMatch(/^HTTP\/1\.1 503 Service Unavailable\r\n/)
    for (const line of [
      'connection: close',
      'x-shed-reason: capacity',
      'x-should-retry: true',
      `content-length: ${body.length}`,
    ]) {
      expect(head.toLowerCase()).toContain(line)
    }
    expect(head).toMatch(/retry-after: [1-9]/)
    expect(JSON.parse(body)).toMatchObject({ error: 'rejected', layer: 'service' })
    expect(at.gate().draining).toBe(1)
    wire.socket.end()
    await until(() => at.gate().draining === 0, 'the socket to close')
    shakes.go()
    await at.quiet()
    expect(unaccounted(at.door.snapshot())).toBe(0)
  })

  it('that is refused does not stay open although the caller never closes', async () => {
    const at = await serveUpgrades(shake, { limit: 1 })
    await at.door.drain()
    const wire = at.knock().write('more that nobody reads')
    await wire.hears('"reason":"closing"')
    await until(() => at.gate().draining === 0, 'the bound of time')
    await until(() => wire.closed || wire.ended, 'the end of the connection')
  })

  it.each([
    ['closes', (wire: Wire) => wire.leave()],
    ['ends', (wire: Wire) => wire.socket.end()],
    ['resets', (wire: Wire) => wire.socket.resetAndDestroy()],
  ])('whose caller %s the socket while it waits is taken out, and its handler never called', async (_how, leave) => {
    const shakes = new HeldShakes()
    const at = await serveUpgrades(shakes.handler, { limit: 1, queueDepthMax: 5, ...patient })
    const first = at.knock()
    await until(() => shakes.calls === 1, 'the holder')
    const second = at.knock()
    await until(() => at.door.waiting === 1, 'the waiter')
    leave(second)
    await until(() => at.door.waiting === 0, 'it to be taken out')
    shakes.go()
    await first.hears(accept)
    await at.quiet()
    expect(shakes.calls).toBe(1)
    expect(at.door.snapshot()).toMatchObject({ offered: 2, success: 1, cancelled: 1 })
  })

  it('whose caller leaves during the handshake is told so, and gives its permit back with it', async () => {
    const shakes = new HeldShakes()
    const handler: UpgradeHandler = async (request, socket, head, admitted) => {
      socket.on('error', () => undefined)
      socket.on('end', () => socket.destroy())
      await shakes.handler(request, socket, head, admitted)
    }
    const at = await serveUpgrades(handler, { limit: 1, ...patient })
    const wire = at.knock()
    await until(() => shakes.calls === 1, 'the handshake')
    wire.leave()
    await until(() => shakes.signals[0]?.aborted === true, 'the signal')
    expect(at.gate().abandoned).toBe(1)
    expect(at.door.snapshot()).toMatchObject({ running: 1 })
    shakes.go()
    await at.quiet()
    expect(at.gate()).toMatchObject({ abandoned: 0, streams: 0 })
    expect(at.door.snapshot()).toMatchObject({ cancelled: 1, success: 0, lateSettles: 0 })
  })

  it('keeps its permit when there are as many streams as may be', async () => {
    const at = await serveUpgrades(shake, { limit: 1, queueDepthMax: 0, streamsMax: 1 })
    const first = at.knock()
    await first.hears(accept)
    const second = at.knock()
    await second.hears(accept)
    await turns(10)
    expect(at.gate().streams).toBe(1)
    expect(at.door.snapshot()).toMatchObject({ running: 1 })
    const third = at.knock()
    await third.hears('"reason":"capacity"')
    second.leave()
    await at.quiet()
    expect(at.door.snapshot()).toMatchObject({ success: 2, lateSettles: 0 })
  })

  it('that the handler turns down itself leaves nothing behind', async () => {
    const deny: UpgradeHandler = (_request, socket) => {
      socket.end('HTTP/1.1 401 Unauthorized\r\nconnection: close\r\n\r\n')
      socket.destroy()
    }
    const at = await serveUpgrades(deny, { limit: 1, queueDepthMax: 0 })
    for (let turn = 1; turn <= 3; turn++) {
      const wire = at.knock()
      await until(() => wire.ended || wire.closed, 'the end')
      await at.quiet()
      await until(() => at.gate().streams === 0, 'the gauge')
    }
    expect(at.door.snapshot().offered).toBe(3)
  })

  it('is no health check, whatever its path', async () => {
    const at = await serveUpgrades(shake, { limit: 1, queueDepthMax: 0 })
    await at.door.drain()
    const wire = new Wire(at.port).write(knock.replace('/socket', '/healthz'))
    await wire.hears('"reason":"closing"')
    wire.leave()
    await until(() => at.gate().draining === 0, 'the socket to close')
  })

  it('sees the head and its own first bytes as without a door', async () => {
    let first = ''
    const handler: UpgradeHandler = (request, socket: Duplex, head, admitted) => {
      first = head.toString()
      shake(request, socket, head, admitted)
    }
    const at = await serveUpgrades(handler, { limit: 1 })
    const wire = new Wire(at.port).write(`${knock}early`)
    await wire.hears(accept)
    expect(first).toBe('early')
    wire.leave()
    await until(() => at.gate().streams === 0, 'the socket to close')
  })
})
