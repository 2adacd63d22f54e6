// `spillway sim` from end to end: the command as a child process, its stdout, its stderr and its exit code.
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ScenarioJson } from 'spillway/sim'
import { afterAll, describe, expect, it } from 'vitest'

const main = fileURLToPath(new URL('../src/main.ts', import.meta.url))
const catalogue = fileURLToPath(new URL('./catalogue.ts', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'spillway-sim-'))

afterAll(() => rmSync(folder, { recursive: true, force: true }))

interface Ended {
  readonly exitCode: number | null
  readonly out: string
  readonly err: string
}

/** Runs the sources against the sources of the library; `onErr` sees stderr as it grows. */
function spillway(args: readonly string[], onErr?: (err: string, interrupt: () => void) => void): Promise<Ended> {
  const child = spawn(process.execPath, ['--conditions=spillway-source', main, ...args], { cwd: folder })
  let out = ''
  let err = ''
  child.stdout.on('data', (chunk: Buffer) => {
    out += chunk
  })
  child.stderr.on('data', (chunk: Buffer) => {
    err += chunk
    onErr?.(err, () => child.kill('SIGINT'))
  })
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (exitCode) => resolve({ exitCode, out, err }))
  })
}

/** `spillway sim` with the catalogue that is made by hand. */
function sim(...args: readonly string[]): Promise<Ended> {
  return spillway(['sim', ...args, '--from', catalogue])
}

describe('spillway sim', () => {
  it('runs one and holds, though its unprotected twin does not', async () => {
    const { exitCode, out, err } = await sim('holds', '--seeds', '30')
    expect({ exitCode, err }).toEqual({ exitCode: 0, err: '' })
    expect(out).toMatch(/^T01 {2}Ten times the capacity {2}\(30 seeds\)\nPass: goodput at least/)
    expect(out).toMatch(/\ndefault +394 .* HOLDS +100 %\n/)
    expect(out).toMatch(/\nunprotected +0 .* COLLAPSE +0 %\n/)
    expect(out).toContain('default: HOLDS: at 10× its capacity')
  })

  it('does not hold when the control is all that was asked for', async () => {
    const { exitCode, out } = await sim('t01', '--policy', 'unprotected', '--seed', '7')
    expect(exitCode).toBe(1)
    expect(out).toContain('(1 seed)')
    expect(out).toContain('not met in 1 of 1 runs: plateau: wanted at least 0.9, got 0.00')
  })

  it('does not hold when the runs together do not meet a criterion', async () => {
    const { exitCode, out } = await sim('t01', '--policy', 'default', '--seed', '61')
    expect(exitCode).toBe(1)
    expect(out).toContain('not met by the runs together: seeds: wanted up to 60, got 61')
  })

  it('prints JSON and nothing else', async () => {
    const { exitCode, out } = await sim('T01', '--json', '--seeds', '2', '--seed', '5')
    expect(exitCode).toBe(0)
    expect(JSON.parse(out)).toMatchObject({
      scenario: 'T01',
      seeds: 2,
      firstSeed: 5,
      policies: { default: { goodputPerS: 398, verdict: 'HOLDS', passRatio: 1 }, unprotected: { verdict: 'COLLAPSE' } },
    })
  })

  it('takes several policies, with spaces, commas and repeated flags', async () => {
    const { out } = await sim(
      'T01',
      '--json',
      '--seed',
      '1',
      '--policy',
      'fifo',
      'default',
      '--policy',
      'unprotected,fifo',
    )
    expect(Object.keys((JSON.parse(out) as { policies: object }).policies)).toEqual(['fifo', 'default', 'unprotected'])
  })

  it('runs several scenarios, and ends with 3 when one of them is INVALID', async () => {
    const { exitCode, out } = await sim('T01', 'invalid', '--seed', '1', '--json')
    expect(exitCode).toBe(3)
    const { scenarios } = JSON.parse(out) as { scenarios: { scenario: string }[] }
    expect(scenarios.map(({ scenario }) => scenario)).toEqual(['T01', 'T02'])
  })

  it('writes a report', async () => {
    const file = join(folder, 'made', 'report.html')
    const { exitCode, err } = await sim('T01', '--seeds', '3', '--report', file)
    expect(exitCode).toBe(0)
    expect(err).toContain(`The report is in ${file}`)
    const page = readFileSync(file, 'utf8')
    expect(page.match(/<svg /g)).toHaveLength(8)
    expect(page).toContain('The run with seed 1:')
  })

  it('compares two policies on the same arrivals', async () => {
    const { exitCode, out } = await sim('compare', 'unprotected', 'default', 'T01', '--seeds', '3')
    expect(exitCode).toBe(0)
    expect(out).toMatch(/\nT01 +unprotected +0 /)
    expect(out).toMatch(/T01: default serves 100 % of the capacity more than unprotected/)
  })

  it('compares two scenarios', async () => {
    const { exitCode, out } = await sim('compare', 'T01', 'T02', '--seed', '1', '--json')
    expect(exitCode).toBe(3)
    expect(JSON.parse(out)).toMatchObject({ a: 'T01', b: 'T02', pairs: [{ of: 'default' }, { of: 'unprotected' }] })
  })

  it('fails with the error of a run, and with a code that cannot be taken for a verdict', async () => {
    const { exitCode, err } = await sim('throws', '--seed', '1')
    expect(exitCode).toBe(70)
    expect(err).toContain('the run failed as it was told to')
  })

  it('ends its workers when it is interrupted', async () => {
    let sent = false
    const { exitCode, out } = await spillway(['sim', 'endless', '--from', catalogue], (err, interrupt) => {
      if (!sent && err.includes('running')) interrupt()
      sent ||= err.includes('running')
    })
    expect({ exitCode, out }).toEqual({ exitCode: 130, out: '' })
  })
})

describe('spillway sim with the scenarios of the library', () => {
  it('shows a service that stays down, and the same with a door', async () => {
    const { exitCode, out } = await spillway(['sim', 'spike-with-retries', '--seeds', '2', '--json'])
    expect(exitCode).toBe(0)
    const { policies } = JSON.parse(out) as ScenarioJson
    expect(policies.unprotected).toMatchObject({ verdict: 'METASTABLE', recoveryS: null, passRatio: 0 })
    expect(policies.unprotected?.attemptsPerRequest).toBeGreaterThan(2.5)
    // The confirmation, with the load cut, is made and told of.
    expect(policies.unprotected?.sentence).toContain('cut')
    expect(policies.default).toMatchObject({ recoveryS: 0, passRatio: 1, unmet: [] })
  })

  it("runs a user's own scenario, and refuses one that is impossible before it runs", async () => {
    const file = join(folder, 'own.mjs')
    const own = (slots: number) => `export default {
      id: 'MINE', title: 'Half the load',
      services: { shop: { plant: { kind: 'pool', slots: ${slots} }, workMs: { kind: 'constant', value: 10 } } },
      traffic: [{ arrivals: { perS: 50 } }],
      phases: [{ name: 'baseline', lengthMs: 2000 }, { name: 'stress', lengthMs: 5000 }, { name: 'recovery', lengthMs: 6000 }],
      capacityPerS: 100, deadlineMs: 100,
    }`
    writeFileSync(file, own(1))
    const { exitCode, out } = await spillway(['sim', 'mine', '--policy', 'default', '--seed', '1', '--from', file])
    expect(out).toMatch(/\ndefault: HOLDS: at 0\.46× its capacity/)
    expect(exitCode).toBe(0)
    writeFileSync(file, own(0))
    const refused = await spillway(['sim', 'MINE', '--from', file])
    expect(refused.exitCode).toBe(2)
    expect(refused.err).toContain('services.shop.plant.slots must be')
  })
})

describe('spillway sim tick', () => {
  it('prints the published table, the exercises and the checklist', async () => {
    const { exitCode, out } = await spillway(['sim', 'tick'])
    expect(exitCode).toBe(0)
    expect(out).toContain('unbounded FIFO    80.4   24.5    0.0         0.0   23776         0       21213')
    expect(out).toContain('Accept backlog of the kernel')
  })

  it('has the same as JSON', async () => {
    const { out } = await spillway(['sim', 'tick', '--json'])
    expect((JSON.parse(out) as { policies: object[] }).policies).toEqual([
      {
        policy: 'unbounded FIFO',
        before: 80.4,
        spike: 24.5,
        after: 0,
        longAfter: 0,
        wasted: 23776,
        rejected: 0,
        peakQueue: 21213,
      },
      {
        policy: 'deadline drop',
        before: 80.4,
        spike: 100,
        after: 89.9,
        longAfter: 82,
        wasted: 0,
        rejected: 0,
        peakQueue: 1234,
      },
      {
        policy: 'adaptive LIFO',
        before: 80.4,
        spike: 100,
        after: 90,
        longAfter: 82,
        wasted: 3445,
        rejected: 0,
        peakQueue: 10408,
      },
      {
        policy: 'bounded + shed',
        before: 80.4,
        spike: 100,
        after: 83.6,
        longAfter: 82,
        wasted: 0,
        rejected: 5294,
        peakQueue: 250,
      },
    ])
  })
})
