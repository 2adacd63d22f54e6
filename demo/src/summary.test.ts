import { expect, test } from 'vitest'
import { summarise } from './summary.ts'
import { served, syntheticRun, unanswered } from './testing/synthetic.ts'

test('the JSON has its documented shape and nothing else', () => {
  const summary = JSON.parse(JSON.stringify(summarise(syntheticRun())))
  expect(Object.keys(summary)).toEqual(['resource', 'capacity', 'seed', 'valid', 'services'])
  expect(Object.keys(summary.services)).toEqual(['unprotected', 'protected'])
  for (const service of Object.values<Record<string, unknown>>(summary.services)) {
    expect(Object.keys(service)).toEqual(['windows', 'wasted', 'recoveryS', 'rssIdleMb', 'rssPeakMb'])
    expect(service.windows).toHaveLength(7)
    for (const window of service.windows as object[]) {
      expect(Object.keys(window)).toEqual([
        'fromS',
        'toS',
        'offeredPerS',
        'goodputPerS',
        'p50Ms',
        'p99Ms',
        'rejected',
        'rejectP50Ms',
        'rejectP99Ms',
        'timeouts',
        'criticalOffered',
        'criticalServed',
      ])
    }
  }
})

test('counts follow the intended start, and what is unserved stays in the denominator', () => {
  const { windows } = summarise(syntheticRun()).services.unprotected
  expect(windows[0]).toMatchObject({ fromS: 0, toS: 5, timeouts: 0, p50Ms: 50, p99Ms: 50 })
  expect(windows[0]!.goodputPerS).toBe(windows[0]!.offeredPerS)
  expect(windows[2]).toMatchObject({ goodputPerS: 0, p50Ms: null, p99Ms: null, rejectP50Ms: null, criticalServed: 0 })
  expect(windows[2]!.timeouts).toBe(Math.round(windows[2]!.offeredPerS * 5))
})

test('refusals do not touch the latency of successes', () => {
  const peak = summarise(syntheticRun()).services.protected.windows[5]!
  expect(peak).toMatchObject({ p50Ms: 50, p99Ms: 50, rejectP50Ms: 1, rejectP99Ms: 1, timeouts: 0 })
  expect(peak.rejected + peak.goodputPerS * 5).toBeCloseTo(peak.offeredPerS * 5, 6)
})

test('memory and wasted work count from the moment before the load', () => {
  const { unprotected } = summarise(syntheticRun({ wasted: 7 })).services
  expect(unprotected).toMatchObject({ wasted: 7, rssIdleMb: 50, rssPeakMb: 60 })
})

test('work for callers whose leaving the service could not see is wasted too', () => {
  const { services } = summarise(syntheticRun({ wasted: 7, unseen: 5 }))
  expect(services.unprotected.wasted).toBe(12)
  expect(services.protected.wasted).toBe(12)
})

test('recovery is the worst of both drops, and null when it never came', () => {
  const { services } = summarise(syntheticRun())
  expect(services.protected.recoveryS).toBe(0)
  expect(services.unprotected.recoveryS).toBeNull()
  const slow = syntheticRun({ rule: (_, atMs) => (atMs >= 30_000 && atMs < 32_000 ? unanswered : served) })
  expect(summarise(slow).services.protected.recoveryS).toBeGreaterThan(1.8)
})

test('a generator that was late makes the run invalid, and so does one that could not send', () => {
  expect(summarise(syntheticRun()).valid).toBe(true)
  expect(summarise(syntheticRun({ latenessMs: 5.1 })).valid).toBe(false)
  const unsent = syntheticRun({
    rule: (_, __, index) => (index % 500 === 0 ? { outcome: 'unsent', latencyMs: 1100 } : served),
  })
  expect(summarise(unsent).valid).toBe(false)
})
