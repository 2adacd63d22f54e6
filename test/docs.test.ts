// The docs say what the code does: the README's code runs, generated pages are fresh, and the lists of errors, reasons and
// headers are complete in both directions.

import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { reasons } from '../packages/spillway/src/core/decision.ts'
import { errorTable } from '../packages/spillway/src/core/errors.ts'
import { headersIn } from '../packages/spillway/src/propagation/headers.ts'
import { statusOf } from '../packages/spillway/src/propagation/status.ts'
import { optionsPage } from '../scripts/reference.ts'

const root = new URL('../', import.meta.url)
const read = (path: string): string => readFileSync(new URL(path, root), 'utf8')
const run = promisify(execFile)

const readme = read('README.md')
const blocks = [...readme.matchAll(/```ts\n([\s\S]*?)```/g)].map((match) => match[1] as string)
const preload = fileURLToPath(new URL('test/readme-server.mjs', root))
// Inside a workspace that depends on the library and on every framework, so that the imports resolve as a user's would.
const folder = new URL('packages/spillway/.cache/readme/', root)

describe('the README', () => {
  it('has a block per framework, and stays under 200 lines', () => {
    expect(blocks.length).toBeGreaterThanOrEqual(7)
    expect(readme.split('\n').length).toBeLessThan(200)
  })

  it.each(blocks.map((code, index) => ({ code, index })))('block $index runs as written', async ({ code, index }) => {
    mkdirSync(folder, { recursive: true })
    const file = new URL(`${index}.ts`, folder)
    writeFileSync(file, code)
    const { stdout } = await run(process.execPath, ['--import', preload, fileURLToPath(file)], { timeout: 30_000 })
    const promised = [...code.matchAll(/\/\/ => (.*)$/gm)].map((match) => match[1])
    expect(stdout.trim().split('\n')).toEqual(promised.length > 0 ? promised : ['200 hello'])
  })

  it('links to files that exist', () => {
    const links = [...readme.matchAll(/\]\((?!https?:)([^)#]+)/g)].map((match) => match[1] as string)
    for (const link of links) expect(() => read(link), link).not.toThrow()
  })
})

describe('the reference pages', () => {
  it('options.md is what the declarations say', () => {
    expect(read('docs/reference/options.md')).toBe(optionsPage())
  })

  it('errors.md has a section for each code, and no other', () => {
    const sections = [...read('docs/reference/errors.md').matchAll(/^## (\S+)$/gm)].map((match) => match[1])
    expect(sections.sort()).toEqual(Object.keys(errorTable).sort())
  })

  it('reasons.md lists the reasons in the order of the checks, with their status', () => {
    const rows = [...read('docs/reference/reasons.md').matchAll(/^\| `([a-z]+)` \| .*? \| (\d{3}) \| (\w+) \|/gm)]
    expect(rows.map((row) => row[1])).toEqual([...reasons])
    for (const [, reason, http, grpc] of rows) {
      expect(statusOf[reason as keyof typeof statusOf]).toEqual({ http: Number(http), grpc })
    }
  })

  it('headers.md lists the headers that are read, in order of preference', () => {
    const rows = [...read('docs/reference/headers.md').matchAll(/^\| `([a-z-]+)` \| /gm)].map((match) => match[1])
    expect(rows).toEqual([...headersIn])
  })
})
