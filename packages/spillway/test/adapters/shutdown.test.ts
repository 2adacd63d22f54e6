// The orderly end of a server: no connection keeps it up, nobody who can be served is cut off.

import { createServer, type Server } from 'node:http'
import { connect, createServer as createHttp2Server } from 'node:http2'
import type { Socket } from 'node:net'
import { describe, expect, it, vi } from 'vitest'
import { prepareShutdown as fromHttp2 } from '../../src/adapters/http2.ts'
import { prepareShutdown, protect, protectUpgrade, type UpgradeHandler } from '../../src/adapters/node-http.ts'
import { createAdmission } from '../../src/surface/create-admission.ts'
import { HeldHandler } from './call.ts'
import { ask, keepAlive, type Reply, Wire } from './client.ts'
import { http2App, nodeApp } from './frameworks.ts'
import { http1, listening, named } from './harness.ts'
import { until } from './wait.ts'

vi.setConfig({ testTimeout: 60_000 })

const patient = { waitMaxMs: 30_000, deadlineMs: 30_000 } as const

async function nodeServer(held: HeldHandler, limit: number, graceMs: number) {
  const { listener } = nodeApp(held, { limit, ...patient })
  const server = createServer(listener)
  const shutdown = prepareShutdown(server, listener, { graceMs })
  const { port } = await listening(server)
  return { server, shutdown, port, door: listener.door, listener }
}

describe('a shutdown', () => {
  it('serves what runs and waits over kept-alive connections, then lets the process end (C127)', async () => {
    const held = new HeldHandler()
    const { shutdown, port, door } = await nodeServer(held, 1, 30_000)
    const agents = Array.from({ length: 5 }, keepAlive)
    const first = agents.map((agent) => ask({ port, agent }))
    for (let turn = 1; turn <= 5; turn++) {
      await until(() => held.calls === turn, 'a handler')
      held.release()
    }
    await Promise.all(first.map(({ reply }) => reply))
    // One runs, four wait.
    const second = agents.map((agent) => ask({ port, agent }))
    await until(() => held.calls === 6 && door.waiting === 4, 'one to run and four to wait')
    const over = shutdown()
    expect(shutdown()).toBe(over)
    for (let turn = 6; turn <= 10; turn++) {
      await until(() => held.calls === turn, 'a handler')
      held.release({ body: `${turn}` })
    }
    const replies: Reply[] = await Promise.all(second.map(({ reply }) => reply))
    for (const { status, headers } of replies) {
      expect(status).toBe(200)
      expect(headers.connection).toBe('close')
    }
    expect(await over).toEqual({ drained: true, running: 0, connectionsCut: 0 })
    await expect(ask({ port }).reply).rejects.toThrow('no answer')
    for (const agent of agents) agent.destroy()
  })

  it('refuses what comes on old connections, and answers what waits too long', async () => {
    const held = new HeldHandler()
    const { server, shutdown, port, door } = await nodeServer(held, 1, 300)
    const sockets: Socket[] = []
    server.on('connection', (socket) => void sockets.push(socket))
    const running = ask({ port })
    await until(() => held.calls === 1, 'the handler')
    const waiting = ask({ port })
    await until(() => door.waiting === 1, 'the waiter')
    const wire = new Wire(port).write('GET / HTTP/1.1\r\nhost: a\r\n')
    await until(() => sockets.some(({ bytesRead }) => bytesRead === 25), 'the half of the next request')
    const over = shutdown()
    wire.write('\r\n')
    await wire.hears('"reason":"closing"')
    expect(wire.text.toLowerCase()).toContain('connection: close')
    const late = await waiting.reply
    expect(late).toMatchObject({ status: 503 })
    expect(late.headers['x-shed-reason']).toBe('closing')
    await expect(running.reply).rejects.toThrow()
    held.release()
    expect(await over).toMatchObject({ drained: false, running: 1, connectionsCut: 1 })
  })

  it('closes silent connections at once, half-sent ones and upgraded ones in time, having told the latter (C129)', async () => {
    const door = createAdmission({ limit: 5 })
    const told: string[] = []
    const upgraded: UpgradeHandler = (_request, socket, _head, { signal }) => {
      socket.on('error', () => undefined)
      socket.write('HTTP/1.1 101 Switching Protocols\r\nconnection: Upgrade\r\nupgrade: x\r\n\r\n')
      signal.addEventListener('abort', () => {
        told.push('away')
        // One of two listens.
        if (told.length === 1) socket.end('bye')
        else socket.write('busy')
      })
    }
    const listener = protect((_request, response) => response.end('ok'), { door })
    const upgrades = protectUpgrade(upgraded, { door })
    const server = createServer(listener).on('upgrade', upgrades)
    const shutdown = prepareShutdown(server, [listener, upgrades], { graceMs: 500 })
    const { port } = await listening(server)
    const silent = [new Wire(port), new Wire(port), new Wire(port)]
    const halfSent = new Wire(port).write('GET / HTTP/1.1\r\nhos')
    const sockets = [0, 1].map(() =>
      new Wire(port).write('GET / HTTP/1.1\r\nhost: a\r\nconnection: Upgrade\r\nupgrade: x\r\n\r\n'),
    )
    for (const socket of sockets) await socket.hears('101')
    await connections(server, 6)
    const over = shutdown()
    await until(() => silent.every(({ ended, closed }) => ended || closed), 'the end of the silent')
    expect(told).toEqual(['away', 'away'])
    await sockets[0]?.hears('bye')
    await sockets[1]?.hears('busy')
    for (const socket of sockets) if (socket.text.includes('bye')) socket.leave()
    expect(halfSent.ended || halfSent.closed).toBe(false)
    const result = await over
    expect(result).toMatchObject({ drained: true, running: 0 })
    // The half-sent one and the socket that did not listen.
    expect(result.connectionsCut).toBe(2)
    await until(() => halfSent.ended || halfSent.closed, 'the end of the half-sent')
    await until(() => sockets.every(({ ended, closed }) => ended || closed), 'the end of the sockets')
    await until(() => upgrades.gateSnapshot().streams === 0, 'the gauge')
  })

  it('closes a connection that health checks keep open', async () => {
    const held = new HeldHandler()
    const { shutdown, port } = await nodeServer(held, 1, 30_000)
    const agent = keepAlive()
    const running = ask({ port })
    await until(() => held.calls === 1, 'the handler')
    const checking = ask({ port, agent }, { path: '/healthz' })
    await until(() => held.calls === 2, 'the check')
    const over = shutdown()
    held.releaseAll()
    await running.reply
    await checking.reply
    expect(await over).toEqual({ drained: true, running: 0, connectionsCut: 0 })
    agent.destroy()
  })

  it('of a server that never listened, or was closed before, ends too', async () => {
    const listener = protect((_request, response) => response.end('ok'), { limit: 1 })
    const idle = prepareShutdown(createServer(listener), listener.door)
    expect(await idle()).toEqual({ drained: true, running: 0, connectionsCut: 0 })
    const held = new HeldHandler()
    const { server, shutdown, port } = await nodeServer(held, 1, 30_000)
    const running = ask({ port })
    await until(() => held.calls === 1, 'the handler')
    server.close()
    const over = shutdown()
    held.release()
    expect(await running.reply).toMatchObject({ status: 200 })
    expect(await over).toEqual({ drained: true, running: 0, connectionsCut: 0 })
  })

  it('names a wrong option', () => {
    const listener = protect((_request, response) => response.end('ok'), { limit: 1 })
    const wrong = { graceMs: -1, grace: 5 } as { graceMs: number }
    expect(() => prepareShutdown(createServer(listener), listener, wrong)).toThrow(
      /^prepareShutdown: graceMs must be a number from 0 to 86400000, got -1; there is no option grace; did you mean graceMs\?$/,
    )
  })
})

describe('a shutdown over HTTP/2', () => {
  it('sends GOAWAY, lets streams end, and closes', async () => {
    const held = new HeldHandler()
    const { listener } = http2App(held, { limit: 1, ...patient })
    const server = createHttp2Server(listener)
    const shutdown = fromHttp2(server, listener, { graceMs: 30_000 })
    const { port } = await listening(server)
    const session = connect(`http://127.0.0.1:${port}`)
    let goneAway = false
    session.on('goaway', () => {
      goneAway = true
    })
    const asked = ask({ port, session })
    await until(() => held.calls === 1, 'the handler')
    const idle = connect(`http://127.0.0.1:${port}`)
    await new Promise((resolve) => idle.once('remoteSettings', resolve))
    const over = shutdown()
    await until(() => goneAway, 'the GOAWAY')
    await until(() => idle.closed || idle.destroyed, 'the end of the idle session')
    held.release()
    expect(await asked.reply).toMatchObject({ status: 200, body: 'done' })
    expect(await over).toEqual({ drained: true, running: 0, connectionsCut: 0 })
    session.destroy()
    idle.destroy()
  })

  it('cuts sessions at the end of the grace period', async () => {
    const held = new HeldHandler()
    const { listener } = http2App(held, { limit: 1, ...patient })
    const server = createHttp2Server(listener)
    const shutdown = fromHttp2(server, listener, { graceMs: 50 })
    const { port } = await listening(server)
    const session = connect(`http://127.0.0.1:${port}`)
    session.on('error', () => undefined)
    const asked = ask({ port, session })
    await until(() => held.calls === 1, 'the handler')
    expect(await shutdown()).toEqual({ drained: false, running: 1, connectionsCut: 1 })
    await expect(asked.reply).rejects.toThrow()
    await until(() => held.started[0]?.admitted.signal.aborted === true, 'the signal')
    held.release()
    await until(() => listener.door.inFlight === 0, 'the permit')
    session.destroy()
  })
})

describe.each(named(http1.filter(({ secure, name }) => !secure && name !== 'Fastify')))(
  'a shutdown of %s',
  (_name, adapter) => {
    it('ends when its work has ended', async () => {
      const held = new HeldHandler()
      const running = await adapter.listen(held, { limit: 1, ...patient })
      const shutdown = prepareShutdown(running.server, running.behind)
      const agent = keepAlive()
      const asked = ask({ port: running.port, agent })
      await until(() => held.calls === 1, 'the handler')
      const over = shutdown()
      held.release()
      const { status, headers } = await asked.reply
      expect(status).toBe(200)
      expect(headers.connection).toBe('close')
      expect(await over).toEqual({ drained: true, running: 0, connectionsCut: 0 })
      agent.destroy()
    })
  },
)

async function connections(server: Server, wanted: number): Promise<void> {
  let open = 0
  server.on('connection', () => server.getConnections(count))
  const count = (_error: Error | null, now: number): void => {
    open = now
  }
  server.getConnections(count)
  await until(() => open === wanted, `${wanted} connections`)
}
