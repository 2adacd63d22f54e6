// How the tests run. They run the sources as they are: the custom condition points every `spillway/*` import at src instead
// of dist, so that no test can pass against a stale build. (Processes that a test starts import what users import, dist.)
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

// 'import' is left out: the workers get these too, and a package's require() would then be given its module for import.
const conditions = ['spillway-source', 'node']
const shared = {
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: ['spillway-source'] } },
}
const setupFiles = [join(import.meta.dirname, 'test', 'open-handles.ts')]

export default defineConfig({
  test: {
    // All cores; Vitest would leave one free, and of two that is half.
    maxWorkers: '100%',
    projects: [
      { ...shared, test: { name: 'spillway', setupFiles, include: ['packages/spillway/{src,test}/**/*.test.ts'] } },
      {
        ...shared,
        test: {
          name: 'workspace',
          setupFiles,
          include: [
            'test/**/*.test.ts',
            'packages/cli/{src,test}/**/*.test.ts',
            'bench/**/*.test.ts',
            'examples/**/*.test.ts',
          ],
          testTimeout: 120_000,
        },
      },
      {
        ...shared,
        test: {
          name: 'demo',
          setupFiles,
          include: ['demo/**/*.test.ts'],
          // A demo puts real load on real processes, so it has the machine to itself, after everything else.
          fileParallelism: false,
          sequence: { groupOrder: 1 },
          testTimeout: 120_000,
        },
      },
    ],
  },
})
