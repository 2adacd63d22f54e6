// That every bench runs and says what it promises to say. No time is asserted: tests run on machines that do other work.

import { execFile } from 'node:child_process'
import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { benches } from './benches.ts'
import { refusingServer } from './http/refusing-servers.ts'
import { median, ratioOf, rowOf } from './statistics.ts'
import { holds, outcomeText } from './table.ts'

const main = fileURLToPath(new URL('./main.ts', import.meta.url))

interface Ran {
  readonly status: number
  readonly stdout: string
  readonly stderr: string
}

// The sources of the library, as in every other test, and not a build that may be stale.
function runBench(...args: string[]): Promise<Ran> {
  return new Promise((resolve) => {
    execFile(process.execPath, ['--conditions=spillway-source', main, ...args], (error, stdout, stderr) => {
      resolve({ status: error === null ? 0 : Number(error.code), stdout, stderr })
    })
  })
}

const tiny = ['--quick', '--repeats', '1', '--json']
const number = expect.any(Number)
const row = { name: expect.any(String), medianNs: number, minNs: number, maxNs: number, bytesPerOp: number }

describe('npm run bench', () => {
  it('prints an array of all benches with --json, and nothing else', async () => {
    const { status, stdout, stderr } = await runBench(...tiny)
    expect(stderr).toBe('')
    expect(status).toBe(0)
    const all = JSON.parse(stdout) as { name: string; rows: object[]; ratios: Record<string, number> }[]
    expect(all.map(({ name }) => name)).toEqual(benches.map(({ name }) => name))
    for (const outcome of all) {
      expect(Object.keys(outcome)).toEqual(['name', 'rows', 'ratios'])
      expect(outcome.rows.length).toBeGreaterThan(1)
      for (const one of outcome.rows) expect(one).toEqual(row)
      expect(Object.keys(outcome.ratios).length).toBeGreaterThan(0)
      for (const ratio of Object.values(outcome.ratios)) expect(ratio).toBeGreaterThan(0)
    }
  })

  it('prints one object for one name', async () => {
    const { stdout } = await runBench(...tiny, 'decision-bytes')
    expect(JSON.parse(stdout)).toMatchObject({ name: 'decision-bytes' })
  })

  it('lists the benches and explains its flags', async () => {
    const [list, help] = await Promise.all([runBench('--list'), runBench('--help')])
    for (const { name } of benches) expect(list.stdout).toContain(name)
    for (const flag of ['--json', '--list', '--repeats', '--quick']) expect(help.stdout).toContain(flag)
  })

  it('refuses bad input with every problem at once and exit status 2', async () => {
    const { status, stdout, stderr } = await runBench('--repeats', '0', '--jason', 'pairs', '--json=1')
    expect(status).toBe(2)
    expect(stdout).toBe('')
    expect(stderr.trim().split('\n')).toEqual([
      'unknown flag --jason; flags are --json, --list, --repeats, --quick, --help',
      `unknown bench "pairs"; benches are ${benches.map(({ name }) => name).join(', ')}`,
      '--json takes no value, got "1"',
      '--repeats must be a whole number from 1 to 100, got "0"',
    ])
  })
})

describe('the bare 503 that refusals are measured against', () => {
  const servers = [refusingServer('bare'), refusingServer('gated')] as const
  afterAll(() => {
    for (const server of servers) server.close()
  })

  it('sends the same headers and the same fields as a refusal', async () => {
    const [bare, gated] = await Promise.all(servers.map(answerOf))
    expect(bare).toEqual(gated)
  })

  // What does not change from one refusal to the next.
  function answerOf(server: (typeof servers)[number]): Promise<object> {
    return new Promise((resolve, reject) => {
      server.listen(0, '127.0.0.1', () => {
        const { port } = server.address() as AddressInfo
        const asked = request({ port, host: '127.0.0.1', agent: false }, async (response) => {
          let body = ''
          for await (const chunk of response.setEncoding('utf8')) body += chunk
          const names = response.rawHeaders.filter((_, index) => index % 2 === 0)
          const { reason, stage, layer, limit, inFlight } = JSON.parse(body)
          const fields = Object.keys(JSON.parse(body))
          resolve({ status: response.statusCode, names, fields, reason, layer, limit, inFlight, stage })
        })
        asked.on('error', reject)
        asked.end()
      })
    })
  }
})

describe('the statistics of a bench', () => {
  it('takes the ratio within each repeat before the median', () => {
    const slowing = { ns: [10, 20, 400], bytes: [1, 1, 1] }
    const twice = { ns: [20, 40, 800], bytes: [2, 2, 2] }
    expect(ratioOf(twice, slowing)).toBe(2)
    expect(ratioOf(twice, slowing, slowing)).toBe(1)
    expect(rowOf('twice', twice)).toEqual({ name: 'twice', medianNs: 40, minNs: 20, maxNs: 800, bytesPerOp: 2 })
    expect(median([1, 2, 3, 4])).toBe(2.5)
  })

  it('says of each bar whether it holds', () => {
    const bars = [
      { about: 'at the bar', value: 1, max: 1 },
      { about: 'above it', value: 1.01, max: 1 },
    ]
    expect(bars.map(holds)).toEqual([true, false])
    const outcome = { name: 'x', rows: [], ratios: {}, bars, notes: [] }
    expect(outcomeText(outcome, true)).toContain('DOES NOT HOLD: above it')
    expect(outcomeText(outcome, false)).toContain('not judged: above it')
  })
})
