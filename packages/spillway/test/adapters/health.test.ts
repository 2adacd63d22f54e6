// Health checks pass beside the door: an orchestrator that restarts a busy process makes the overload worse (C25).

import { describe, expect, it, vi } from 'vitest'
import { type Call, HeldHandler, type Result } from './call.ts'
import { Wire } from './client.ts'
import { adapters, frameworks, named, nodeHttp, type Served, serve } from './harness.ts'
import { turns, until } from './wait.ts'

vi.setConfig({ testTimeout: 60_000 })

const isHealth = ({ url }: Call): boolean => /^\/(healthz|livez|readyz|health|alive)/.test(url)

// Holds ordinary calls and answers health checks.
function app() {
  const held = new HeldHandler()
  const handle = (call: Call): Result | Promise<Result> => (isHealth(call) ? { body: 'healthy' } : held.handle(call))
  return { held, handle }
}

async function saturated(served: Served, held: HeldHandler): Promise<void> {
  served.ask()
  await until(() => held.calls === 1, 'the holder')
  served.ask()
  await until(() => served.accounts().waiting === 1, 'the waiter')
}

const full = { limit: 1, queueDepthMax: 1, waitMaxMs: 30_000, deadlineMs: 30_000 } as const

describe.each(named(adapters))('%s', (_name, adapter) => {
  it('answers health checks while the door and its queue are full, without a permit (C25)', async () => {
    const { held, handle } = app()
    const served = await serve(adapter, { handle }, full)
    await saturated(served, held)
    const before = served.accounts()
    for (const path of ['/healthz', '/livez', '/readyz', '/health', '/healthz?verbose=1', '/healthz?']) {
      expect(await served.get(path)).toMatchObject({ status: 200, body: 'healthy' })
    }
    expect(await served.ask({ path: '/livez', method: 'HEAD' }).reply).toMatchObject({ status: 200, body: '' })
    await Promise.all(Array.from({ length: 16 }, () => served.get('/livez')))
    expect(served.accounts()).toEqual(before)
    await until(() => served.gate().health === 0, 'the end of the checks')
    held.releaseAll()
    await until(() => held.calls === 2, 'the waiter')
    held.releaseAll()
    await served.quiet()
  })

  it.each([
    ['POST', '/healthz'],
    ['DELETE', '/healthz'],
    ['GET', '/healthz/'],
    ['GET', '//healthz'],
    ['GET', '/HEALTHZ'],
    ['GET', '/healthz/more'],
    ['GET', '/healthzz'],
    ['GET', '/health%7a'],
    ['GET', '/api/healthz'],
    ['GET', '/healthz;x'],
    ['GET', '/?/healthz'],
  ])('sends %s %s through the door', async (method, path) => {
    const { held, handle } = app()
    const served = await serve(adapter, { handle }, full)
    await saturated(served, held)
    expect(await served.ask({ method, path }).reply).toMatchObject({ status: 503 })
    expect(served.accounts().rejected.capacity.door).toBe(1)
    held.releaseAll()
  })

  it('takes other paths for health checks when told to', async () => {
    const { held, handle } = app()
    const served = await serve(adapter, { handle }, { ...full, healthPaths: ['/alive'] })
    await saturated(served, held)
    expect(await served.get('/alive')).toMatchObject({ status: 200 })
    expect(await served.get('/healthz')).toMatchObject({ status: 503 })
    held.releaseAll()
  })

  it('takes none when told so', async () => {
    const { held, handle } = app()
    const served = await serve(adapter, { handle }, { ...full, healthPaths: [] })
    await saturated(served, held)
    expect(await served.get('/healthz')).toMatchObject({ status: 503 })
    held.releaseAll()
  })

  it('lets a few run at once and refuses the rest, so that the way beside the door is no way around it', async () => {
    const held = new HeldHandler()
    const served = await serve(adapter, held, { limit: 1, healthMax: 2 })
    const two = [served.ask({ path: '/healthz' }), served.ask({ path: '/livez' })]
    await until(() => held.calls === 2, 'two checks')
    expect(served.gate()).toMatchObject({ health: 2, healthRefused: 0 })
    const { status, headers } = await served.ask({ path: '/healthz' }).reply
    expect(status).toBe(503)
    expect(headers).toMatchObject({ 'x-shed-reason': 'capacity', 'retry-after': '1' })
    expect(served.gate()).toMatchObject({ health: 2, healthRefused: 1 })
    held.releaseAll()
    for (const { reply } of two) expect(await reply).toMatchObject({ status: 200 })
    await until(() => served.gate().health === 0, 'the end of the checks')
    expect(served.accounts().offered).toBe(0)
  })

  it('gives a health check a signal and time, and its place back when the caller leaves', async () => {
    const held = new HeldHandler()
    const served = await serve(adapter, held, { limit: 1 })
    const asked = served.ask({ path: '/healthz' })
    await until(() => held.calls === 1, 'the check')
    const admitted = held.started[0]?.admitted
    expect(admitted?.remainingMs()).toBe(Number.POSITIVE_INFINITY)
    admitted?.track(Promise.reject(new Error('of no interest')))
    expect(admitted?.signal.aborted).toBe(false)
    asked.leave()
    await until(() => served.gate().health === 0, 'its end')
    expect(admitted?.signal.aborted).toBe(true)
    held.releaseAll()
    await turns(5)
    expect(served.gate().health).toBe(0)
  })
})

it.each(named(frameworks))('%s gives the place of a failing health check back', async (_name, adapter) => {
  const handle = (): Result => {
    throw new Error('unwell')
  }
  const served = await serve(adapter, { handle }, { limit: 1, healthMax: 1 })
  for (let turn = 0; turn < 3; turn++) {
    expect(await served.get('/healthz')).toMatchObject({ status: 500 })
    await until(() => served.gate().health === 0, 'its end')
  }
})

it('node:http closes the connection after a health check while the door drains', async () => {
  const { handle } = app()
  const served = await serve(nodeHttp, { handle }, { limit: 1 })
  await served.door.drain()
  const wire = new Wire(served.port).write('GET /healthz HTTP/1.1\r\nhost: a\r\n\r\n')
  await wire.hears('healthy')
  expect(wire.text.toLowerCase()).toContain('connection: close')
  await until(() => wire.ended, 'the end of the connection')
})
