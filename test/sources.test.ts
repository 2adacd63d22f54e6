// Proves the claim of vitest.config.ts on which all other tests rest.
import { expect, it } from 'vitest'

it('runs the tests against the sources, whichever way they import the library', async () => {
  expect(await import('spillway')).toBe(await import('../packages/spillway/src/index.ts'))
  expect(await import('spillway/testing')).toBe(await import('../packages/spillway/src/testing/index.ts'))
})
