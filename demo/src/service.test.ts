import { once } from 'node:events'
import { get, type Server } from 'node:http'
import { connect } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import type { ServiceName } from './messages.ts'
import type { Resource } from './resources/resource.ts'
import { createService, listen } from './service.ts'

let server: Server | undefined

afterEach(() => {
  server?.closeAllConnections()
  server?.close()
})

// A resource whose jobs end when the test says so.
function handDriven() {
  const jobs: (() => void)[] = []
  let arrived = () => {}
  const resource: Resource = {
    use: () =>
      new Promise((resolve) => {
        jobs.push(resolve)
        arrived()
      }),
    running: () => jobs.length,
    waiting: () => 0,
    close: async () => {},
  }
  return { resource, jobs, next: () => new Promise<void>((resolve) => (arrived = resolve)) }
}

async function start(service: ServiceName, resource: Resource) {
  const started = createService({ service, resource, limit: 1 })
  server = started.server
  return { ...started, port: await listen(started.server, 0) }
}

test.each(['unprotected', 'protected'] as const)('the %s service answers what the resource finished', async (name) => {
  const { resource, jobs, next } = handDriven()
  const { port, reading } = await start(name, resource)
  const working = next()
  const answer = new Promise<number | undefined>((resolve) => {
    get({ host: '127.0.0.1', port, agent: false }, (res) => {
      res.resume().on('end', () => resolve(res.statusCode))
    })
  })
  await working
  jobs.shift()?.()
  expect(await answer).toBe(200)
  expect(reading()).toMatchObject({ finished: 1, wasted: 0 })
})

test('work that is finished after its caller has left is wasted', async () => {
  const { resource, jobs, next } = handDriven()
  const { server: listening, port, reading } = await start('unprotected', resource)
  const working = next()
  const gone = new Promise<void>((resolve) => {
    listening.on('request', (_, res) => res.once('close', resolve))
  })
  const caller = connect(port, '127.0.0.1')
  await once(caller, 'connect')
  caller.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n')
  await working
  caller.destroy()
  await gone
  expect(reading()).toMatchObject({ finished: 0, wasted: 0 })
  jobs.shift()?.()
  await new Promise(setImmediate)
  expect(reading()).toMatchObject({ finished: 1, wasted: 1 })
})

test('a port that is taken is an error that says so', async () => {
  const { resource } = handDriven()
  const { port } = await start('unprotected', resource)
  const second = createService({ service: 'unprotected', resource, limit: 1 })
  await expect(listen(second.server, port)).rejects.toMatchObject({ code: 'EADDRINUSE' })
})
