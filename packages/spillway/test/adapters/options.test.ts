// Wrong options are told before a server listens, all at once.

import { Hono } from 'hono'
import { describe, expect, it } from 'vitest'
import { spillway } from '../../src/adapters/hono.ts'
import { HeldHandler } from './call.ts'
import { adapters, named } from './harness.ts'

describe.each(named(adapters))('%s', (_name, adapter) => {
  it('names every wrong option of its own and of the door', async () => {
    const wrong = {
      limit: 0,
      healthMax: -1,
      healthPaths: ['no-slash'],
      release: 'never',
      trustedPeers: ['10.0.0.0/99'],
    } as never
    // Some adapters throw where they are called, Fastify where it starts.
    await expect((async () => adapter.listen(new HeldHandler(), wrong))()).rejects.toThrow(
      /limit must be .*; healthPaths must be .*; healthMax must be .*; release must be .*; trustedPeers must be/,
    )
  })
})

it('says so when Hono does not run on the server of Node', async () => {
  const told: unknown[] = []
  const app = new Hono()
  app.use(spillway({ limit: 1 }))
  app.onError((error, context) => {
    told.push(error)
    return context.text('', 500)
  })
  await app.request('/')
  expect(told).toMatchObject([{ code: 'SPILLWAY_PEER_MISSING', message: expect.stringContaining('@hono/node-server') }])
})
