// What only a process of its own can show: that it ends by itself, that it warns of nothing, and that it forgets what is over.

import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'

const source = (path: string): string => JSON.stringify(new URL(`../src/${path}`, import.meta.url).href)
const imports = `
  import { createAdmission } from ${source('surface/create-admission.ts')}
  import { createQuota } from ${source('surface/create-quota.ts')}
  import { nodeRuntime } from ${source('runtime/node.ts')}
`

interface Ended {
  readonly stdout: string
  readonly stderr: string
}

/** Runs a script to its end; rejects when it does not end by itself, or ends badly. */
async function inProcess(script: string, ...flags: string[]): Promise<Ended> {
  const args = [...flags, '--unhandled-rejections=strict', '--input-type=module-typescript', '--eval', imports + script]
  const { stdout, stderr } = await promisify(execFile)(process.execPath, args, { timeout: 50_000 })
  return { stdout: stdout.trim(), stderr: stderr.replace(/^.*(ExperimentalWarning|--trace-warnings).*$/gm, '').trim() }
}

// Starting a process takes a second on a busy machine, and ten on a very busy one.
describe('a process', { timeout: 60_000 }, () => {
  it('C56: ends although ten thousand waits of an hour were granted, one was given up, and a drain had an hour', async () => {
    const { stdout } = await inProcess(`
      const door = createAdmission({ limit: 10_000, waitMaxMs: 3_600_000, permitAgeMaxMs: 86_400_000, deadlineMs: 3_600_000 })
      const permits = await Promise.all(Array.from({ length: 10_000 }, () => door.acquire()))
      const caller = new AbortController()
      const waiting = door.run(() => {}, { signal: caller.signal }).catch((error) => error.message)
      caller.abort(new Error('gave up'))
      const other = createAdmission({ limit: 1 })
      const permit = await other.acquire()
      const drained = other.drain({ graceMs: 3_600_000 })
      permit.settle('success')
      console.log(JSON.stringify(await drained))
      console.log(await waiting, door.inFlight, process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length)
      // Nobody settles them: the watchdog watches in the background.
    `)
    // The watchdog's own timers, should they be listed, keep nothing alive.
    expect(stdout).toMatch(/^{"drained":true,"running":0}\ngave up 10000 [0-2]$/)
  })

  it('C52: arms no timer that Node would fire at once, however long the delay', async () => {
    const { stdout, stderr } = await inProcess(`
      let fired = 0
      const delays = [2 ** 31 - 2, 2 ** 31 - 1, 2 ** 31, 90 * 86_400_000, 2 ** 40]
      const timers = delays.map((delayMs) => nodeRuntime.setTimer(() => fired++, delayMs))
      for (const delayMs of [NaN, -1, Infinity]) {
        try { nodeRuntime.setTimer(() => fired++, delayMs) } catch (error) { console.log(error.code) }
      }
      nodeRuntime.setTimer(() => {
        for (const timer of timers) nodeRuntime.clearTimer(timer)
        console.log(fired)
      }, 50)
    `)
    expect(stdout.split('\n')).toEqual([...Array(3).fill('SPILLWAY_INTERNAL'), '0'])
    expect(stderr).toBe('')
  })

  it('C59: lives on when work fails after its caller was refused, evicted, late or gone', async () => {
    const { stdout, stderr } = await inProcess(`
      const late = () => new Promise((_, reject) => setTimeout(reject, 10, new Error('too late to matter')))
      const door = createAdmission({ limit: 1, waitMaxMs: 20, queueDepthMax: 2 })
      const caller = new AbortController()
      const runs = [
        door.run(late, { signal: AbortSignal.abort(new Error('gone before')) }),
        door.run(late, { signal: caller.signal }),
        door.run(late, { deadlineMs: 5 }),
        door.run(() => 'never', { signal: caller.signal }),
        door.run(late),
      ]
      caller.abort(new Error('gone'))
      const ends = await Promise.allSettled(runs)
      process.on('exit', () => console.log(door.inFlight))
      console.log(ends.map(({ reason }) => reason.message.split(' (')[0]).join(' | '))
    `)
    const [reasons, inFlight] = stdout.split('\n')
    expect(reasons?.split(' | ').slice(0, 2)).toEqual(['gone before', 'too late to matter'])
    expect(reasons?.split(' | ').slice(3)).toEqual(['gone', 'rejected at the door: capacity'])
    expect([inFlight, stderr]).toEqual(['0', ''])
  })

  it('is warned, and not ended, by a waiter or an observer that throws, whatever it throws', async () => {
    const { stdout, stderr } = await inProcess(`
      for (const fault of [new Error('an error'), 'a string', undefined, Object.create(null), Symbol('s')]) {
        const door = createAdmission({ limit: 1, observer: { admitted() { throw fault } } })
        door.offer().settle('success')
        console.log(door.snapshot().callbackErrors)
      }
    `)
    expect(stdout.split('\n')).toEqual(Array(5).fill('1'))
    expect(stderr).toContain('an error')
    expect(stderr).toContain('SPILLWAY_CALLBACK')
  })
})

describe('the memory of a process', { timeout: 60_000 }, () => {
  it('keeps neither callers nor work that are over, even where a permit or a ticket is kept', async () => {
    const { stdout } = await inProcess(
      `
      const door = createAdmission({ limit: 2, waitMaxMs: 60_000, deadlineMs: 60_000 })
      const refs = []
      // Someone who holds on to one permit for long, from among many others.
      const kept = []
      function once() {
        const [first, second] = [door.offer(), door.offer()]
        const waiters = Array.from({ length: 50 }, () => ({ admitted(permit) { permit.settle('success') }, rejected() {} }))
        const tickets = waiters.map((waiter) => door.offer({ class: 'x' }, waiter))
        for (const ticket of tickets.slice(0, 25)) ticket.leave()
        for (const one of [...waiters, ...tickets, second]) refs.push(new WeakRef(one))
        first.settle('success')
        second.settle('success')
        kept.push(first)
      }
      for (let index = 0; index < 20; index++) once()
      await new Promise((turn) => setImmediate(turn))
      gc()
      console.log(kept.length, refs.length, refs.filter((ref) => ref.deref() !== undefined).length)
    `,
      '--expose-gc',
    )
    const [kept, made, alive] = stdout.split(' ').map(Number)
    expect([kept, made]).toEqual([20, 20 * 101])
    // What the last stack frames still hold.
    expect(alive).toBeLessThan(5)
  })

  it('does not grow with the names that strangers give to classes and keys', async () => {
    const { stdout } = await inProcess(
      `
      const quota = createQuota({ limit: '1000000/s', keysMax: 1000 })
      const door = createAdmission({ limit: 10, quota })
      const offer = (index) => door.offer({ class: 'c' + index, key: 'k' + index + 'x'.repeat(500) }).settle('success')
      for (let index = 0; index < 20_000; index++) offer(index)
      gc()
      const before = process.memoryUsage().heapUsed
      for (let index = 20_000; index < 120_000; index++) offer(index)
      gc()
      console.log(Math.round((process.memoryUsage().heapUsed - before) / 1024))
    `,
      '--expose-gc',
    )
    expect(Number(stdout)).toBeLessThan(1024)
  })
})
