// How long a permit is held: for as long as the handler's promise and the response both last, and for no longer.

import { describe, expect, it, vi } from 'vitest'
import { type Answer, type Call, HeldHandler, type Result, taken } from './call.ts'
import { adapters, frameworks, named, nodeHttp, nodeHttp2, serve } from './harness.ts'
import { turns, until } from './wait.ts'

vi.setConfig({ testTimeout: 60_000 })

const seeing = adapters.filter(({ seesPromises }) => seesPromises)

// Answers on Node's own response.
function answer({ response }: Call, body = 'raw'): void {
  response.statusCode = 200
  ;(response as { end(body: string): void }).end(body)
}

describe.each(named(seeing))('%s', (_name, adapter) => {
  it('holds the permit while the promise outlives the response', async () => {
    const held = new HeldHandler()
    const handle = (call: Call): Promise<Result> => {
      answer(call)
      return held.handle(call)
    }
    const served = await serve(adapter, { handle }, { limit: 1 })
    expect(await served.get()).toMatchObject({ status: 200, body: 'raw' })
    await turns(20)
    expect(served.accounts()).toMatchObject({ running: 1, success: 0 })
    held.release(taken)
    await served.quiet()
    expect(served.accounts()).toMatchObject({ success: 1, lateSettles: 0 })
  })

  it('holds the permit while the response outlives the promise', async () => {
    let call: Call | undefined
    const handle = async (given: Call): Promise<Result> => {
      call = given
      return taken
    }
    const served = await serve(adapter, { handle }, { limit: 1 })
    const asked = served.ask()
    await until(() => call !== undefined, 'the handler')
    await turns(20)
    expect(served.accounts()).toMatchObject({ running: 1, success: 0 })
    answer(call as Call)
    expect(await asked.reply).toMatchObject({ body: 'raw' })
    await served.quiet()
    expect(served.accounts()).toMatchObject({ success: 1, lateSettles: 0 })
  })

  it('holds the permit of a caller who has left until the handler has ended, and tells it', async () => {
    const held = new HeldHandler()
    const served = await serve(adapter, held, { limit: 1, queueDepthMax: 0 })
    const asked = served.ask()
    await until(() => held.calls === 1, 'the handler')
    const signal = held.started[0]?.admitted.signal as AbortSignal
    expect(signal.aborted).toBe(false)
    asked.leave()
    await until(() => signal.aborted, 'the signal')
    await until(() => served.gate().abandoned === 1, 'the gauge')
    expect(served.accounts()).toMatchObject({ running: 1, cancelled: 0 })
    // No new work beside the old.
    expect(await served.get()).toMatchObject({ status: 503 })
    held.release()
    await served.quiet()
    expect(served.gate().abandoned).toBe(0)
    expect(served.accounts()).toMatchObject({ cancelled: 1, success: 0, lateSettles: 0 })
  })

  it('counts a handler that fails after its caller has left, once', async () => {
    let fail: (() => void) | undefined
    const handle = (): Promise<Result> =>
      new Promise((_resolve, reject) => {
        fail = () => reject(new Error('late'))
      })
    const served = await serve(adapter, { handle: failing(handle, adapter.answersFailures) }, { limit: 1 })
    const asked = served.ask()
    await until(() => fail !== undefined, 'the handler')
    asked.leave()
    await until(() => served.gate().abandoned === 1, 'the gauge')
    fail?.()
    await served.quiet()
    expect(served.gate().abandoned).toBe(0)
    expect(served.accounts()).toMatchObject({ cancelled: 1, ignored: 0, lateSettles: 0 })
  })
})

// Bare Node has nobody to see a rejection, and would end the process.
function failing(handle: () => Promise<Result>, seen: boolean): () => Promise<Result> {
  return seen ? handle : () => handle().catch((): Result => taken)
}

describe.each(named(adapters))('%s', (_name, adapter) => {
  it('gives the permit back with the response when told so', async () => {
    const held = new HeldHandler()
    const handle = (call: Call): Promise<Result> => {
      answer(call)
      return held.handle(call)
    }
    const served = await serve(adapter, { handle }, { limit: 1, release: 'response' })
    for (let turn = 1; turn <= 3; turn++) {
      expect(await served.get()).toMatchObject({ status: 200 })
      await served.quiet()
      expect(served.accounts()).toMatchObject({ success: turn })
    }
    held.releaseAll(taken)
    await turns(20)
    expect(served.accounts()).toMatchObject({ success: 3, lateSettles: 0 })
  })

  it('with release at the response, gives it back when the caller leaves, and goes on counting the work', async () => {
    if (!adapter.seesPromises) return
    const held = new HeldHandler()
    const served = await serve(adapter, held, { limit: 1, release: 'response' })
    const asked = served.ask()
    await until(() => held.calls === 1, 'the handler')
    asked.leave()
    await served.quiet()
    expect(served.accounts()).toMatchObject({ cancelled: 1 })
    expect(served.gate().abandoned).toBe(1)
    held.release()
    await until(() => served.gate().abandoned === 0, 'the gauge')
  })

  it('holds the permit for work that the handler tracks', async () => {
    let finish: (() => void) | undefined
    const handle = ({ admitted }: Call): Answer => {
      admitted.track(
        new Promise<void>((resolve) => {
          finish = resolve
        }),
      )
      return { body: 'accepted' }
    }
    const served = await serve(adapter, { handle }, { limit: 1 })
    expect(await served.get()).toMatchObject({ body: 'accepted' })
    await turns(20)
    expect(served.accounts()).toMatchObject({ running: 1 })
    finish?.()
    await served.quiet()
    expect(served.accounts()).toMatchObject({ success: 1, lateSettles: 0 })
  })

  it('holds the permit of a handler that returns nothing until the response or its socket has ended', async () => {
    const calls: Call[] = []
    const handle = (call: Call): Result => {
      calls.push(call)
      return taken
    }
    const served = await serve(adapter, { handle }, { limit: 1 })
    const asked = served.ask()
    await until(() => calls.length === 1, 'the handler')
    await turns(20)
    expect(served.accounts()).toMatchObject({ running: 1 })
    answer(calls[0] as Call)
    expect(await asked.reply).toMatchObject({ body: 'raw' })
    await served.quiet()
    expect(served.accounts()).toMatchObject({ success: 1 })
    const left = served.ask()
    await until(() => calls.length === 2, 'the handler')
    left.leave()
    await served.quiet()
    expect(served.accounts()).toMatchObject({ cancelled: 1, lateSettles: 0 })
    expect(served.gate().abandoned).toBe(0)
  })

  it('tells the handler how much time is left', async () => {
    const seen: number[] = []
    const handle = ({ admitted }: Call): Answer => {
      seen.push(admitted.remainingMs())
      return {}
    }
    const served = await serve(adapter, { handle }, { limit: 1, deadlineMs: 5000 })
    await served.get('/', { 'x-request-timeout-ms': '60000' })
    await served.get()
    expect(seen[0]).toBeGreaterThan(5000)
    expect(seen[0]).toBeLessThanOrEqual(60_000)
    expect(seen[1]).toBeLessThanOrEqual(5000)
  })

  it('leaves the signal alone when all goes well', async () => {
    const signals: AbortSignal[] = []
    const handle = async ({ admitted }: Call): Promise<Answer> => {
      signals.push(admitted.signal)
      return { body: 'ok' }
    }
    const served = await serve(adapter, { handle }, { limit: 1 })
    await served.ask({ method: 'HEAD' }).reply
    await served.get()
    await served.quiet()
    expect(signals.map(({ aborted }) => aborted)).toEqual([false, false])
  })

  it('runs a call of the door from inside work that holds its permit, instead of waiting for itself (C17)', async () => {
    const handle = async (): Promise<Answer> => ({ body: await served.door.run(async () => 'inner') })
    const served = await serve(adapter, { handle }, { limit: 1 })
    expect(await served.get()).toMatchObject({ body: 'inner' })
    expect(await served.ask({ method: 'POST', body: 'some body' }).reply).toMatchObject({ body: 'inner' })
    await served.quiet()
    expect(served.accounts()).toMatchObject({ offered: 2, nested: 2, success: 2 })
  })
})

it('Express lets no middleware see a promise: the permit comes back with the response', async () => {
  const express = frameworks.find(({ name }) => name === 'Express')
  if (express === undefined) throw new Error('no Express')
  const held = new HeldHandler()
  const handle = (call: Call): Promise<Result> => {
    answer(call)
    return held.handle(call)
  }
  const served = await serve(express, { handle }, { limit: 1 })
  expect(await served.get()).toMatchObject({ status: 200 })
  await served.quiet()
  expect(served.accounts()).toMatchObject({ success: 1 })
  held.release(taken)
})

// What nobody catches, caught for once: a test that lets the process end ends the tests.
async function uncaught(
  event: 'uncaughtException' | 'unhandledRejection',
  act: () => Promise<void>,
): Promise<unknown[]> {
  const errors: unknown[] = []
  const listeners = process.listeners(event as 'uncaughtException')
  process.removeAllListeners(event)
  process.on(event, (error: unknown) => void errors.push(error))
  try {
    await act()
    await until(() => errors.length > 0, event)
  } finally {
    process.removeAllListeners(event)
    for (const listener of listeners) process.on(event as 'uncaughtException', listener)
  }
  return errors
}

describe.each(named([nodeHttp, nodeHttp2]))(
  '%s leaves failures where they would be without a door',
  (_name, adapter) => {
    const boom = new Error('boom')

    it('a rejection stays unhandled, and the permit is back although nobody answers', async () => {
      const served = await serve(adapter, { handle: () => Promise.reject(boom) }, { limit: 1 })
      const asked = served.ask()
      const errors = await uncaught('unhandledRejection', () => served.quiet())
      expect(errors).toEqual([boom])
      expect(served.accounts()).toMatchObject({ offered: 1, ignored: 1 })
      asked.leave()
      await turns(20)
      expect(served.accounts()).toMatchObject({ ignored: 1, cancelled: 0, lateSettles: 0 })
    })

    it('what is thrown is uncaught, at once and after a wait, and the permit is back', async () => {
      const calls: Call[] = []
      const handle = (call: Call): Result => {
        calls.push(call)
        if (call.url === '/throw') throw boom
        return taken
      }
      const served = await serve(adapter, { handle }, { limit: 1, waitMaxMs: 10_000, deadlineMs: 10_000 })
      const asked = [served.ask({ path: '/throw' })]
      expect(await uncaught('uncaughtException', () => until(() => calls.length === 1, 'the throw'))).toEqual([boom])
      await served.quiet()
      asked.push(served.ask())
      await until(() => calls.length === 2, 'the holder')
      asked.push(served.ask({ path: '/throw' }))
      await until(() => served.accounts().waiting === 1, 'the waiter')
      const errors = await uncaught('uncaughtException', async () => answer(calls[1] as Call))
      expect(errors).toEqual([boom])
      await served.quiet()
      expect(served.accounts()).toMatchObject({ offered: 3, ignored: 2, success: 1, callbackErrors: 0 })
      for (const one of asked) one.leave()
    })
  },
)
