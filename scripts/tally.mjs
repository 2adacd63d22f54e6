// A Vitest reporter beside the usual one: it leaves the counts where check.mjs finds them, and it turns two things into a
// failure that Vitest only mentions: a test process that does not end by itself because a handle is still open, and an
// error nobody handled.
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

export default class Tally {
  onTestRunEnd(testModules, unhandledErrors) {
    let passed = 0
    let failed = unhandledErrors.length
    for (const testModule of testModules) {
      for (const test of testModule.children.allTests()) {
        const { state } = test.result()
        if (state === 'passed') passed++
        else if (state !== 'skipped') failed++
      }
      // A file that cannot be loaded has no tests; its errors, and those of hooks, count as one failure each.
      failed += testModule.errors().length
      for (const suite of testModule.children.allSuites()) failed += suite.errors().length
    }
    const path = process.env.SPILLWAY_TALLY
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, JSON.stringify({ passed, failed }))
  }

  onProcessTimeout() {
    process.exitCode = 1
  }
}
