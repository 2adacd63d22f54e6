// Every example runs, as a user would run it, and prints what it is there to show.

import { execFile } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'

const folder = new URL('../examples/src/', import.meta.url)

const shows: Record<string, RegExp> = {
  'deploy.ts': /late: 503 closing close\nearly: 200\nearly: 200\n\{ drained: true, running: 0 \}/,
  'jobs.ts': /report 0\n[\s\S]*report 5\n6 done/,
  'quota.ts': /a 200 \na 200 \na 200 \na 429 \d+\nb 200/,
}

describe('examples', () => {
  it.each(readdirSync(folder))('%s', async (name) => {
    const { stdout } = await promisify(execFile)(process.execPath, [fileURLToPath(new URL(name, folder))])
    expect(stdout).toMatch(shows[name] ?? /no expectation for this example/)
  })
})
