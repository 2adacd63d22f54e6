// The promise edge of the door: what users of comparable software lost there, as tests.

import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { VirtualRuntime } from '../src/runtime/virtual.ts'
import { type AdmissionOptions, createAdmission } from '../src/surface/create-admission.ts'

const root = fileURLToPath(new URL('../src/index.ts', import.meta.url))

function setUp(options: AdmissionOptions) {
  const runtime = new VirtualRuntime(7)
  return { door: createAdmission(options, runtime), runtime }
}

// Runs a script against the library as a process of its own, strict about rejections nobody handles.
async function inProcess(script: string): Promise<string> {
  const code = `import { createAdmission, RejectedError } from ${JSON.stringify(root)}\n${script}`
  const args = ['--unhandled-rejections=strict', '--input-type=module-typescript', '--eval', code]
  const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: 20_000 })
  return stdout.trim()
}

describe('run', () => {
  it('C10: gives the permit back when the work throws before it returns a promise', async () => {
    const { door } = setUp({ limit: 2 })
    const fault = new Error('before the promise')
    for (let index = 0; index < 10; index++) {
      await expect(
        door.run(() => {
          throw fault
        }),
      ).rejects.toBe(fault)
      expect(door.inFlight).toBe(0)
    }
    expect(door.snapshot().ignored).toBe(10)
  })

  it('C10: gives the permit back when an iteration is abandoned after its first item', async () => {
    const { door } = setUp({ limit: 2 })
    for (let index = 0; index < 10; index++) {
      for await (const item of door.iterate(() => [1, 2, 3])) {
        expect(item).toBe(1)
        expect(door.inFlight).toBe(1)
        break
      }
      expect(door.inFlight).toBe(0)
    }
    expect(door.snapshot().cancelled).toBe(10)
    const all: number[] = []
    for await (const item of door.iterate(() => [1, 2, 3])) all.push(item)
    expect(all).toEqual([1, 2, 3])
    expect(door.snapshot().success).toBe(1)
  })

  it('C17: does not wait for itself when work calls its own door', async () => {
    const { door } = setUp({ limit: 1 })
    // Virtual time stands still: a wait would never end.
    expect(await door.run(async () => door.run(async () => door.run(() => 'inner')))).toBe('inner')
    expect(door.snapshot()).toMatchObject({ success: 1, nested: 2, inFlight: 0 })
  })

  it('C17: does not let the whole crowd wait for itself', async () => {
    const { door } = setUp({ limit: 3 })
    const results = await Promise.all(
      Array.from({ length: 3 }, (_, id) => door.run(async () => `${id} ${await door.run(async () => 'inner')}`)),
    )
    expect(results).toEqual(['0 inner', '1 inner', '2 inner'])
    expect(door.inFlight).toBe(0)
  })

  it('C57: leaves no listener on a shared signal', async () => {
    const { door, runtime } = setUp({ limit: 1, queueDepthMax: 300 })
    const controller = new AbortController()
    const { signal } = controller
    let listeners = 0
    const add = signal.addEventListener.bind(signal)
    const remove = signal.removeEventListener.bind(signal)
    signal.addEventListener = (...args: Parameters<typeof add>) => {
      listeners++
      add(...args)
    }
    signal.removeEventListener = (...args: Parameters<typeof remove>) => {
      listeners--
      remove(...args)
    }
    const held = await door.acquire()
    const succeed = Array.from({ length: 50 }, () => door.run(() => 1, { signal }))
    const time_out = Array.from({ length: 50 }, () => door.run(() => 1, { signal, deadlineMs: 5 }))
    const all = Promise.allSettled([...succeed, ...time_out])
    expect(listeners).toBe(100)
    runtime.advance(10)
    held.settle('success')
    await all
    expect(listeners).toBe(0)
  })

  it('rejects with the reason of the signal, and what a running task does with it is its own', async () => {
    const { door } = setUp({ limit: 1 })
    const left = AbortSignal.abort(new Error('gone before'))
    await expect(door.run(() => 1, { signal: left })).rejects.toThrow('gone before')
    expect(door.snapshot()).toMatchObject({ offered: 1, cancelled: 1 })
    const controller = new AbortController()
    const running = door.run(
      () =>
        new Promise((_, reject) => controller.signal.addEventListener('abort', () => reject(controller.signal.reason))),
      { signal: controller.signal },
    )
    controller.abort(new Error('gone after'))
    await expect(running).rejects.toThrow('gone after')
    expect(door.snapshot()).toMatchObject({ cancelled: 2, inFlight: 0 })
  })

  it('counts a refusal and a time-out from further on as dropped, any other error as ignored', async () => {
    const { door } = setUp({ limit: 1 })
    const inner = setUp({ limit: 1 }).door
    await inner.acquire()
    const late = new DOMException('too slow', 'TimeoutError')
    await Promise.allSettled([door.run(() => inner.run(() => 1, { deadlineMs: 0 }))])
    await Promise.allSettled([door.run(() => Promise.reject(late))])
    await Promise.allSettled([door.run(() => Promise.reject(new Error('a bug')))])
    expect(door.snapshot()).toMatchObject({ dropped: 2, ignored: 1 })
  })

  it('C56: leaves no timer behind that keeps a process alive', async () => {
    const script = `
      const door = createAdmission({ limit: 20000, waitMaxMs: 200000, deadlineMs: 3600000 })
      for (let i = 0; i < 10000; i++) await door.run(() => i)
      console.log(door.snapshot().success)`
    expect(await inProcess(script)).toBe('10000')
  })

  it('C59: swallows nothing and ends no process when work fails after its caller was answered', async () => {
    const script = `
      const door = createAdmission({ limit: 1 })
      const fail = () => new Promise((_, reject) => setTimeout(reject, 500, new Error('late')))
      const seen = await Promise.allSettled([
        door.run(fail, { signal: AbortSignal.abort(new Error('left')) }),
        door.run(fail),
        door.run(fail, { deadlineMs: 5 }),
      ])
      console.log(seen.map((s) => s.reason.message.split(':')[0]).join())`
    expect(await inProcess(script)).toBe('left,late,rejected in the queue')
  })
})
