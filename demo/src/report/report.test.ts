import { expect, test } from 'vitest'
import { quickPlan } from '../plan.ts'
import { summarise } from '../summary.ts'
import { served, syntheticRun, unanswered } from '../testing/synthetic.ts'
import { judge } from '../verdict.ts'
import { reportPage } from './page.ts'
import { goodputPicture } from './picture.ts'
import { finalTable } from './table.ts'

function pageOf(run: Parameters<typeof syntheticRun>[0] = {}): string {
  const record = syntheticRun(run)
  const summary = summarise(record)
  return reportPage(record, summary, judge(record, summary))
}

test('the report needs nothing from elsewhere', () => {
  const page = pageOf()
  expect(page).not.toMatch(/https?:\/\//)
  expect(page).not.toMatch(/\b(src|href)=|@import|url\(/)
  expect(page).toContain('<svg')
})

test('no picture has a coordinate that is not a number', () => {
  const runs = [{}, { plan: quickPlan }, { rule: () => unanswered }, { rule: () => served }]
  for (const run of runs) expect(pageOf(run)).not.toMatch(/NaN|Infinity|undefined/)
})

test('the report carries the result it was drawn from', () => {
  const json = /<script type="application\/json" id="result">(.*?)<\/script>/s.exec(pageOf())?.[1]
  const { summary, outcomes } = JSON.parse(json ?? '')
  expect(summary).toEqual(summarise(syntheticRun()))
  expect(outcomes.protected.reasons).toEqual({ capacity: outcomes.protected.rejected })
  const { planned, pending, good, late, rejected, timeout, failed, unsent } = outcomes.protected
  expect(pending).toBe(0)
  expect(good + late + rejected + timeout + failed + unsent).toBe(planned)
})

test('an invalid run says so in words, on the page and in the terminal, and says nothing else', () => {
  const record = syntheticRun({ latenessMs: 20 })
  const summary = summarise(record)
  const verdict = judge(record, summary)
  expect(reportPage(record, summary, verdict)).toContain('INVALID: The generator sent')
  expect(finalTable(record, summary, verdict)).toContain('INVALID: The generator sent')
  expect(finalTable(record, summary, verdict)).not.toContain('the protected service served')
})

test('the picture of goodput against offered load stands alone and follows light and dark', () => {
  const picture = goodputPicture(summarise(syntheticRun()))
  expect(picture).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg"/)
  expect(picture).toContain('prefers-color-scheme:dark')
  expect(picture).toContain('stays down when the load falls')
  expect(picture).not.toMatch(/NaN|undefined|Infinity/)
})

test('a service that comes back is not said to stay down', () => {
  const record = syntheticRun({ rule: () => served })
  expect(goodputPicture(summarise(record))).not.toContain('stays down')
})

test('the final table shows every window of both services', () => {
  const record = syntheticRun()
  const summary = summarise(record)
  const table = finalTable(record, summary, judge(record, summary))
  expect(table.match(/25–30 s/g)).toHaveLength(2)
  expect(table).toContain('UNPROTECTED')
  expect(table).toContain('HOLDS')
})
