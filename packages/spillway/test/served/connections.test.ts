// What only shows on raw connections: upgrades, pipelining, keep-alive, resets of HTTP/2 streams, uploads that do not end.

import { createServer, type Server } from 'node:http'
import { connect as connectHttp2, constants, createServer as createHttp2Server } from 'node:http2'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { protect as protectHttp2 } from '../../src/adapters/http2.ts'
import { protect, protectUpgrade } from '../../src/adapters/node-http.ts'
import { createAdmission } from '../../src/surface/create-admission.ts'
import { until } from './client.ts'

const closers: (() => void)[] = []

afterEach(() => {
  for (const close of closers.splice(0)) close()
})

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closers.push(() => {
    server.close()
    server.closeAllConnections?.()
  })
  return (server.address() as AddressInfo).port
}

// A socket and all that came over it.
function open(port: number): { socket: Socket; text: () => string; closed: () => boolean } {
  const socket = connect(port, '127.0.0.1').on('error', () => {})
  let text = ''
  let closed = false
  socket.setEncoding('latin1').on('data', (chunk: string) => {
    text += chunk
  })
  socket.on('close', () => {
    closed = true
  })
  closers.push(() => socket.destroy())
  return { socket, text: () => text, closed: () => closed }
}

const upgradeRequest = 'GET /chat HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n'

describe('upgrades', () => {
  async function chat(limit: number) {
    const door = createAdmission({ limit, waitMaxMs: 10_000, deadlineMs: 60_000 })
    const { promise: goOn, resolve } = Promise.withResolvers<void>()
    let started = 0
    const upgrade = protectUpgrade(
      async (_request, socket) => {
        started++
        await goOn
        socket.write('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n')
        socket.on('error', () => {})
        socket.on('data', (chunk) => socket.write(chunk))
        socket.on('end', () => socket.end())
      },
      { door },
    )
    const server = createServer((_request, response) => response.end()).on('upgrade', upgrade)
    return { door, upgrade, port: await listen(server), goOn: resolve, started: () => started }
  }

  it('hold a permit for the handshake, and count as a stream until the socket closes', async () => {
    const { door, upgrade, port, goOn, started } = await chat(1)
    const { socket, text } = open(port)
    socket.write(upgradeRequest)
    await until(() => started() === 1)
    expect([door.inFlight, upgrade.gateSnapshot().streams]).toEqual([1, 0])
    goOn()
    await until(() => text().startsWith('HTTP/1.1 101'))
    await until(() => door.inFlight === 0)
    expect(upgrade.gateSnapshot().streams).toBe(1)
    socket.write('echo')
    await until(() => text().endsWith('echo'))
    socket.destroy()
    await until(() => upgrade.gateSnapshot().streams === 0)
    expect(door.snapshot()).toMatchObject({ success: 1, cancelled: 0 })
  })

  it('are refused with an answer that HTTP understands', async () => {
    const { door, port } = await chat(1)
    door.offer()
    const { socket, text, closed } = open(port)
    socket.write(upgradeRequest.replace('host: x', 'host: x\r\nx-request-timeout-ms: 0'))
    await until(closed)
    expect(text()).toMatch(/^HTTP\/1\.1 503 Service Unavailable\r\n/)
    expect(text()).toMatch(/\r\nx-shed-reason: deadline\r\n/)
    expect(JSON.parse(text().split('\r\n\r\n')[1] as string)).toMatchObject({ reason: 'deadline' })
  })

  it('C13: leave the queue when their socket does', async () => {
    const { door, port, started } = await chat(1)
    door.offer()
    const { socket } = open(port)
    socket.write(upgradeRequest)
    await until(() => door.waiting === 1)
    socket.resetAndDestroy()
    await until(() => door.waiting === 0)
    expect([door.snapshot().cancelled, started()]).toEqual([1, 0])
  })
})

describe('one HTTP/1 connection', () => {
  it('serves many requests one after the other, and leaves no listener behind', async () => {
    const sockets = new Set<Socket>()
    const listener = protect(
      (request, response) => {
        sockets.add(request.socket)
        response.end('ok')
      },
      { limit: 1 },
    )
    const { socket, text } = open(await listen(createServer(listener)))
    for (let index = 1; index <= 50; index++) {
      socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n')
      await until(() => text().split('HTTP/1.1 200').length === index + 1 && listener.door.inFlight === 0)
    }
    const [served] = sockets
    expect(sockets.size).toBe(1)
    expect(served?.listenerCount('close')).toBeLessThan(5)
    expect(listener.door.snapshot().success).toBe(50)
  })

  it('answers pipelined requests in order, and gives back those it lost', async () => {
    const { promise: goOn, resolve } = Promise.withResolvers<void>()
    let started = 0
    const listener = protect(
      async (request, response) => {
        started++
        if (request.url === '/first') await goOn
        response.end(request.url)
      },
      { limit: 2, waitMaxMs: 10_000, deadlineMs: 60_000 },
    )
    const port = await listen(createServer(listener))
    const requests = ['/first', '/second', '/third'].map((path) => `GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`).join('')
    const kept = open(port)
    kept.socket.write(requests)
    await until(() => started >= 2)
    resolve()
    await until(() => kept.text().includes('/third') && listener.door.inFlight === 0)
    expect(kept.text().match(/\/(first|second|third)/g)).toEqual(['/first', '/second', '/third'])

    const door = createAdmission({ limit: 1, waitMaxMs: 10_000, deadlineMs: 60_000 })
    const held = protect(
      async (_request, response) => {
        await new Promise<void>((over) => response.once('close', over))
      },
      { door },
    )
    const lost = open(await listen(createServer(held)))
    lost.socket.write(requests)
    await until(() => door.inFlight === 1 && door.waiting === 2)
    lost.socket.resetAndDestroy()
    await until(() => door.inFlight === 0 && door.waiting === 0)
    expect(door.snapshot()).toMatchObject({ offered: 3, cancelled: 3 })
  })

  it('is kept for another request after a small upload was refused', async () => {
    const listener = protect((_request, response) => void response.end('ok'), { limit: 1, waitMaxMs: 0 })
    const held = listener.door.offer()
    const { socket, text } = open(await listen(createServer(listener)))
    socket.write('POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 5\r\n\r\nhe')
    await until(() => text().includes('x-shed-reason: capacity'))
    socket.write('llo')
    if (held.status === 'admitted') held.settle('success')
    socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n')
    await until(() => text().includes('HTTP/1.1 200'))
  })

  it('is closed when a refused upload does not end', async () => {
    const listener = protect((_request, response) => void response.end('ok'), { limit: 1, waitMaxMs: 0 })
    listener.door.offer()
    const { socket, text, closed } = open(await listen(createServer(listener)))
    socket.write('POST / HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n1\r\nx\r\n')
    await until(() => text().includes('x-shed-reason: capacity'))
    await until(closed)
  }, 20_000)
})

describe('HTTP/2', () => {
  it('C14: gives back the permits of streams reset at any moment, and of a lost session', async () => {
    const listener = protectHttp2(
      async (_request, response) => {
        response.writeHead(200)
        response.write('x'.repeat(1000))
        await new Promise((resolve) => setImmediate(resolve))
        response.end('end')
      },
      { limit: 20, waitMaxMs: 10_000, deadlineMs: 60_000 },
    )
    const port = await listen(createHttp2Server(listener) as unknown as Server)
    const session = connectHttp2(`http://127.0.0.1:${port}`).on('error', () => {})
    let over = 0
    for (let index = 0; index < 200; index++) {
      const stream = session.request({ ':path': '/' }).on('error', () => {})
      stream.on('close', () => over++)
      const reset = () => stream.close(constants.NGHTTP2_CANCEL)
      if (index % 4 === 0) reset()
      else if (index % 4 === 1) stream.on('response', reset)
      else if (index % 4 === 2) stream.once('data', reset)
      else stream.resume()
    }
    await until(() => over >= 150)
    session.destroy()
    await until(() => listener.door.inFlight === 0 && listener.door.waiting === 0)
    const { offered, success, cancelled, rejected, ignored } = listener.door.snapshot()
    expect(success + cancelled + ignored + rejected.capacity.queue + rejected.deadline.queue).toBe(offered)
  })
})
