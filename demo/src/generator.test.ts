import { expect, test } from 'vitest'
import { drawArrivals } from './arrivals.ts'
import { Generator, type Target } from './generator.ts'
import { Ledger } from './ledger.ts'
import type { ServiceName } from './messages.ts'
import { planOf } from './plan.ts'

const arrivals = drawArrivals(planOf([[1000, 0.2]]), 1)

function target(service: ServiceName, send: Target['send']): Target {
  return { service, send }
}

async function outcomesOf(targets: Target[], timeoutMs: number) {
  const generator = new Generator(arrivals, targets, timeoutMs)
  await generator.run()
  return generator.takeSettled().map((settled) => {
    const ledger = new Ledger(arrivals)
    ledger.enter(settled)
    return { counts: ledger.tally(), ledger, generator }
  })
}

test('every planned caller ends in exactly one way, for each target by itself', async () => {
  const [yes, no] = await outcomesOf(
    [
      target('unprotected', (_, answered) => {
        setImmediate(answered, 200, undefined)
        return () => {}
      }),
      target('protected', (critical, answered) => {
        setImmediate(answered, critical ? 200 : 503, critical ? undefined : 'capacity')
        return () => {}
      }),
    ],
    60_000,
  )
  const critical = arrivals.critical.reduce((sum, label) => sum + label, 0)
  expect(yes!.counts).toMatchObject({ pending: 0, good: arrivals.critical.length })
  expect(no!.counts).toMatchObject({ pending: 0, good: critical, rejected: arrivals.critical.length - critical })
  expect(no!.ledger.reason(arrivals.critical.indexOf(0))).toBe('capacity')
})

test('a caller without an answer leaves after its timeout, and an answer after that counts for nothing', async () => {
  let left = 0
  const late: (() => void)[] = []
  const [silent] = await outcomesOf(
    [
      target('unprotected', (_, answered) => {
        late.push(() => answered(200, undefined))
        return () => {
          left++
          late.shift()?.()
        }
      }),
    ],
    20,
  )
  expect(silent!.counts).toMatchObject({ pending: 0, timeout: arrivals.critical.length, good: 0 })
  expect(left).toBe(arrivals.critical.length)
})

test('a generator that is held up leaves out who would have gone, counts them, and sends nobody twice', async () => {
  let sent = 0
  const [held] = await outcomesOf(
    [
      target('unprotected', (_, answered) => {
        sent++
        // The first send freezes the generator past the end of its plan.
        if (sent === 1) {
          const untilMs = performance.now() + 250
          while (performance.now() < untilMs);
        }
        setImmediate(answered, 200, undefined)
        return () => {}
      }),
    ],
    10,
  )
  const { counts } = held!
  expect(counts.pending).toBe(0)
  expect(counts.unsent).toBeGreaterThan(arrivals.critical.length / 2)
  expect(sent + counts.unsent).toBe(arrivals.critical.length)
  expect(counts.good + counts.late + counts.timeout + counts.unsent).toBe(arrivals.critical.length)
  expect(held!.generator.latenessMs).toHaveLength(sent)
})

test('other statuses and broken connections are failures, not refusals', async () => {
  const statuses = [0, 500, 404, 429, 503]
  let next = 0
  const [mixed] = await outcomesOf(
    [
      target('protected', (_, answered) => {
        setImmediate(answered, statuses[next++ % statuses.length]!, undefined)
        return () => {}
      }),
    ],
    60_000,
  )
  const { counts } = mixed!
  expect(counts.failed + counts.rejected).toBe(arrivals.critical.length)
  expect(counts.failed).toBeGreaterThan(counts.rejected)
})
