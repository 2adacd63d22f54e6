import { defineConfig } from 'vitest/config'

// Tests run the sources as they are: the custom condition points every `spillway/*` import at src instead of dist, so
// that no test can pass against a stale build.
const source = { resolve: { conditions: ['spillway-source', 'node', 'import', 'default'] } }
const ssr = { ssr: { resolve: { conditions: ['spillway-source', 'node', 'import', 'default'], externalConditions: ['spillway-source'] } } }

export default defineConfig({
  test: {
    projects: [
      { ...source, ...ssr, test: { name: 'spillway', include: ['packages/spillway/{src,test}/**/*.test.ts'] } },
      { ...source, ...ssr, test: { name: 'workspace', include: ['test/**/*.test.ts', 'demo/**/*.test.ts', 'bench/**/*.test.ts'], testTimeout: 120_000 } },
    ],
  },
})
