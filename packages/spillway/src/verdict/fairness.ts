// V10: who pays when not everyone can be served. The plan says what each group is promised; without a promise there is
// nothing to judge.

import type { FairnessRule } from './fairness-rule.ts'
import { fail, type Judgement, notJudged, pass } from './judgement.ts'
import type { RunRecord } from './run-record.ts'
import { phasesOf } from './series.ts'
import type { Thresholds } from './thresholds.ts'
import { percent, three } from './words.ts'

interface Group {
  readonly name: string
  readonly offered: number
  readonly good: number
}

/** What one rule says: a complaint, or undefined; `judged` tells whether it had anything to look at. */
interface Finding {
  readonly judged: boolean
  readonly complaints: readonly string[]
}

export function fair(record: RunRecord, thresholds: Thresholds): Judgement {
  if (thresholds.fairness.length === 0) return notJudged('V10', 'The plan promises nothing to any group.')
  const findings = thresholds.fairness.map((rule) => findingOf(record, rule))
  const complaints = findings.flatMap((finding) => finding.complaints)
  const judged = findings.filter((finding) => finding.judged).length
  const numbers = { rules: thresholds.fairness.length, judged, broken: complaints.length }
  if (complaints.length > 0) return fail('V10', 'UNFAIR', `${complaints.join('; ')}.`, numbers)
  if (judged === 0) return notJudged('V10', 'None of the groups that were promised something sent anything.', numbers)
  return pass('V10', 'Every group gets what the plan promises it.', numbers)
}

function findingOf(record: RunRecord, rule: FairnessRule): Finding {
  switch (rule.kind) {
    case 'success':
      return successFinding(groupsUnderStress(record, rule.by), rule)
    case 'order':
      return orderFinding(groupsUnderStress(record, 'criticality'), rule)
    case 'fair-share':
      return fairShareFinding(record, groupsUnderStress(record, rule.by), rule.shareMin)
  }
}

function successFinding(groups: readonly Group[], rule: FairnessRule & { kind: 'success' }): Finding {
  const meant = groups.filter(
    ({ name }) => (rule.groups === 'all' || rule.groups.includes(name)) && rule.except?.includes(name) !== true,
  )
  const complaints = meant
    .filter((group) => shareOf(group) < rule.shareMin)
    .map((group) => `${group.name} is served ${percent(shareOf(group))}, promised ${percent(rule.shareMin)}`)
  return { judged: meant.length > 0, complaints }
}

function orderFinding(groups: readonly Group[], rule: FairnessRule & { kind: 'order' }): Finding {
  const ordered = rule.groups.flatMap((name) => groups.find((group) => group.name === name) ?? [])
  const complaints: string[] = []
  for (const [i, behind] of ordered.entries()) {
    const ahead = ordered.slice(0, i).find((group) => shareOf(group) + rule.slack < shareOf(behind))
    if (ahead === undefined) continue
    complaints.push(
      `${ahead.name} is served ${percent(shareOf(ahead))} while ${behind.name} is served ${percent(shareOf(behind))}`,
    )
  }
  return { judged: ordered.length > 1, complaints }
}

function fairShareFinding(record: RunRecord, groups: readonly Group[], shareMin: number): Finding {
  const capacity = phasesOf(record, 'stress').reduce(
    (sum, { fromMs, toMs, capacityPerS }) => sum + (capacityPerS * (toMs - fromMs)) / 1000,
    0,
  )
  const parts = maxMinParts(
    groups.map(({ offered }) => offered),
    capacity,
  )
  const complaints = groups.flatMap((group, i) => {
    const part = parts[i] ?? 0
    if (group.good >= shareMin * part) return []
    return [`${group.name} gets ${group.good} of its fair part of ${three(part)}`]
  })
  return { judged: groups.length > 0, complaints }
}

/** Max-min fair parts: everyone gets what they ask for, up to a level that just uses the capacity up. */
export function maxMinParts(asked: readonly number[], capacity: number): number[] {
  const parts = asked.map(() => 0)
  const byDemand = asked.map((_, i) => i).sort((a, b) => (asked[a] as number) - (asked[b] as number))
  let left = capacity
  for (const [served, i] of byDemand.entries()) {
    const part = Math.min(asked[i] as number, left / (byDemand.length - served))
    parts[i] = part
    left -= part
  }
  return parts
}

function groupsUnderStress(record: RunRecord, by: 'criticality' | 'tenant'): readonly Group[] {
  const stress = new Set(phasesOf(record, 'stress').map(({ name }) => name))
  const groups = new Map<string, Group>()
  for (const { phase, group, offered, good } of by === 'criticality' ? record.byCriticality : record.byTenant) {
    if (!stress.has(phase)) continue
    const before = groups.get(group)
    groups.set(group, {
      name: group,
      offered: (before?.offered ?? 0) + offered,
      good: (before?.good ?? 0) + good,
    })
  }
  return [...groups.values()].filter(({ offered }) => offered > 0)
}

function shareOf({ good, offered }: Group): number {
  return good / offered
}
