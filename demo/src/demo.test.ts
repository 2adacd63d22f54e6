// The demo itself, started as a user starts it. How fast it is depends on the machine; what is asserted does not.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import type { Summary } from './summary.ts'

const folder = mkdtempSync(join(tmpdir(), 'spillway-demo-test-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

type Finished = { code: number | null; stdout: string; stderr: string }

/** Runs the sources, not a build that may be stale. */
function start(script: 'main' | 'serve', args: readonly string[]): ChildProcess {
  const file = fileURLToPath(new URL(`./${script}.ts`, import.meta.url))
  return spawn(process.execPath, ['--conditions=spillway-source', file, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
}

async function finish(child: ChildProcess): Promise<Finished> {
  const text = { stdout: '', stderr: '' }
  child.stdout!.on('data', (chunk) => (text.stdout += chunk))
  child.stderr!.on('data', (chunk) => (text.stderr += chunk))
  const [code] = await once(child, 'close')
  return { code, ...text }
}

/** Resolves when the child has printed the words on stderr. */
function printed(child: ChildProcess, words: string): Promise<void> {
  let text = ''
  return new Promise((resolve) => {
    child.stderr!.on('data', (chunk) => {
      text += chunk
      if (text.includes(words)) resolve()
    })
  })
}

test('a quick run drives both services through the overload and prints one JSON object', async () => {
  const html = join(folder, 'report.html')
  const { code, stdout, stderr } = await finish(start('main', ['--quick', '--json', '--html', html]))
  expect(stderr).not.toContain('Error')
  const summary: Summary = JSON.parse(stdout)
  expect(stdout.trim().split('\n')).toHaveLength(1)
  // On a machine that is busy with something else a bar may be missed or the run invalid. It must say which.
  expect([0, 1, 3]).toContain(code)
  expect(code === 3).toBe(!summary.valid)
  expect(summary).toMatchObject({ resource: 'pool', seed: 1 })
  expect(summary.capacity).toBeGreaterThan(50)
  expect(summary.capacity).toBeLessThanOrEqual(101)

  const { unprotected, protected: gated } = summary.services
  const peak = gated.windows.findIndex(({ offeredPerS }) => offeredPerS > 700)
  expect(peak).toBeGreaterThan(0)
  // Callers of the bare service wait behind those who have left; those of the other are served or told no.
  expect(unprotected.windows[peak]!.goodputPerS).toBeLessThan(summary.capacity / 2)
  expect(unprotected.windows[peak]!.timeouts).toBeGreaterThan(0)
  expect(unprotected.wasted).toBeGreaterThan(0)
  expect(gated.windows[peak]!.goodputPerS).toBeGreaterThan(unprotected.windows[peak]!.goodputPerS)
  expect(gated.windows[peak]!.rejected).toBeGreaterThan(0)

  const page = readFileSync(html, 'utf8')
  const { outcomes } = JSON.parse(/id="result">(.*?)<\/script>/s.exec(page)?.[1] ?? '')
  for (const service of ['unprotected', 'protected']) {
    const { planned, pending, good, late, rejected, timeout, failed, unsent } = outcomes[service]
    expect(pending).toBe(0)
    expect(good + late + rejected + timeout + failed + unsent).toBe(planned)
  }
  expect(outcomes.unprotected.reasons).toEqual({})
  expect(outcomes.protected.reasons.capacity).toBeGreaterThan(0)
  expect(outcomes.protected.reasons).not.toHaveProperty('none')
  expect(outcomes.protected.reasons).not.toHaveProperty('other')
})

test.runIf(existsSync('/proc/self/task'))('Ctrl-C leaves no process behind', async () => {
  const child = start('main', ['--quick', '--html', join(folder, 'interrupted.html')])
  const finished = finish(child)
  await printed(child, 'Warming up')
  const children = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').trim().split(' ').map(Number)
  expect(children.length).toBeGreaterThanOrEqual(2)
  child.kill('SIGINT')
  expect((await finished).code).toBe(130)
  for (const pid of children) expect(existsSync(`/proc/${pid}`)).toBe(false)
})

test('wrong flags are all reported at once, and nothing is started', async () => {
  const { code, stdout, stderr } = await finish(start('main', ['--resource', 'disk', '--sede', '3']))
  expect(code).toBe(2)
  expect(stdout).toBe('')
  expect(stderr).toContain('unknown flag --sede')
  expect(stderr).toContain('--resource must be one of pool, cpu, postgres, got "disk"')
})

test('a report that cannot be written is noticed before the run', async () => {
  const { code, stderr } = await finish(start('main', ['--html', folder]))
  expect(code).toBe(2)
  expect(stderr).toContain(`--html ${folder} cannot be written`)
})

test('one service can be kept up, and says when its port is taken', async () => {
  const child = start('serve', ['--service', 'protected', '--port', '0'])
  const finished = finish(child)
  const [chunk] = await once(child.stderr!, 'data')
  const url = /http:\/\/127\.0\.0\.1:\d+/.exec(String(chunk))?.[0]
  const answer = await fetch(`${url}/`)
  expect(await answer.text()).toBe('done\n')

  const port = new URL(url!).port
  const second = await finish(start('serve', ['--port', port]))
  expect(second.code).toBe(2)
  expect(second.stderr).toBe(`--port ${port} is in use on 127.0.0.1; give another, or 0 for a free one\n`)

  child.kill('SIGINT')
  expect((await finished).code).toBe(0)
  const free = createServer().listen(Number(port), '127.0.0.1')
  await once(free, 'listening')
  free.close()
})
