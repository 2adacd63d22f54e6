import { expect, test } from 'vitest'
import { summarise } from './summary.ts'
import { asExpected, refused, type SyntheticRun, served, syntheticRun, unanswered } from './testing/synthetic.ts'
import { exitStatus, judge } from './verdict.ts'

function verdictOf(run: SyntheticRun) {
  const record = syntheticRun(run)
  const verdict = judge(record, summarise(record))
  return { ...verdict, exit: exitStatus(verdict) }
}

test('a protected service that keeps its goodput holds, whatever the other does', () => {
  expect(verdictOf({})).toEqual({ status: 'HOLDS', problems: [], exit: 0 })
})

test('lost goodput is named with its window', () => {
  const { status, problems, exit } = verdictOf({
    rule: (service, atMs, index) =>
      service === 'protected' && atMs >= 25_000 && atMs < 30_000 ? refused : asExpected(service, atMs, index),
  })
  expect([status, exit]).toEqual(['DOES NOT HOLD', 1])
  expect(problems).toEqual(['goodput from 25 to 30 s was 0/s, less than 87.3/s (97 % of capacity)'])
})

test('slow successes, slow refusals, timeouts and work for the gone are each a problem', () => {
  const { problems } = verdictOf({
    wasted: 3,
    rule: (service, atMs, index) => {
      if (service === 'protected' && atMs >= 10_000 && atMs < 15_000) {
        return { ...asExpected(service, atMs, index), latencyMs: 301 }
      }
      return service === 'protected' && index === 0 ? unanswered : asExpected(service, atMs, index)
    },
  })
  expect(problems).toEqual([
    'p99 of successes from 10 to 15 s was 301 ms, more than 300 ms',
    'p99 of refusals from 10 to 15 s was 301 ms, more than 10 ms',
    '1 callers got no answer within their timeout',
    '3 jobs were finished for callers who had gone',
  ])
})

test('below the overload nothing is asked of the goodput, but coming back is', () => {
  const { problems } = verdictOf({
    rule: (service, atMs, index) => (atMs >= 30_000 && index % 2 === 0 ? refused : asExpected(service, atMs, index)),
  })
  expect(problems).toEqual(['full service did not come back after the load fell'])
})

test('an invalid run has no other verdict', () => {
  const { status, problems, exit } = verdictOf({ latenessMs: 20, rule: () => unanswered })
  expect([status, exit]).toEqual(['INVALID', 3])
  expect(problems).toHaveLength(1)
})

test('the processor is reported and not judged', () => {
  expect(verdictOf({ resource: 'cpu', rule: () => unanswered })).toMatchObject({ status: 'REPORTED', exit: 0 })
  expect(verdictOf({ resource: 'cpu', rule: () => served, latenessMs: 20 }).exit).toBe(3)
})
