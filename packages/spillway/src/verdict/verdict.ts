// One run, one name, one sentence. Validity comes first and alone: of a run that measured its own generator no other
// verdict is printed. Of the rest the worst counts, in the order of name.ts.

import { agrees } from './agreement.ts'
import { fair } from './fairness.ts'
import { healthKept, memoryBounded } from './footprint.ts'
import { hysteresis, plateau, slope } from './goodput.ts'
import { fail, type Judgement } from './judgement.ts'
import { bounded, cheapRefusals } from './latency.ts'
import { confirmed, notMetastable } from './metastable.ts'
import { type VerdictName, worstOf } from './name.ts'
import { recovers, recoveryWords } from './recovery.ts'
import type { RunRecord } from './run-record.ts'
import { hardestStress, multipleOf } from './series.ts'
import { type Thresholds, thresholdsOf } from './thresholds.ts'
import { conserved, generatorValid } from './validity.ts'
import { ms, percent, seconds, times } from './words.ts'

export interface Verdict {
  readonly name: VerdictName
  /** Name and reason in plain words. */
  readonly sentence: string
  /** Every rule that was asked; of an INVALID run only the rules of validity. */
  readonly judgements: readonly Judgement[]
  /** What the run wants to say, and MODEL-DRIFT. */
  readonly warnings: readonly string[]
}

/** What a verdict may look at besides the run itself. */
export interface Beside {
  readonly thresholds?: Thresholds
  /** Runs of the same plan at other loads, for V2. */
  readonly levels?: readonly RunRecord[]
  /** Repeats the run with the load cut (V6). Asked only when the run looks metastable. */
  readonly confirm?: () => RunRecord | undefined
  /** The simulation of this live run, for V12. */
  readonly simulated?: RunRecord
}

export function judge(record: RunRecord, beside: Beside = {}): Verdict {
  const thresholds = beside.thresholds ?? thresholdsOf()
  const validity = [generatorValid(record, thresholds), conserved(record)]
  if (validity.some(({ verdict }) => verdict === 'INVALID')) return invalid(validity, record)
  const judgements = [
    plateau(record, thresholds),
    slope([...(beside.levels ?? []), record], thresholds),
    hysteresis(record, thresholds),
    bounded(record, thresholds),
    recovers(record, thresholds),
    ...stability(record, thresholds, beside),
    cheapRefusals(record, thresholds),
    fair(record, thresholds),
    memoryBounded(record, thresholds),
    healthKept(record, thresholds),
  ]
  if (judgements.every(({ verdict }) => verdict === 'not judged')) {
    const empty = fail('V7', 'INVALID', 'No rule found anything to judge, so the run shows nothing.')
    return invalid([empty, ...validity], record)
  }
  const drift = beside.simulated === undefined ? [] : [agrees(record, beside.simulated, thresholds)]
  const all = [...judgements, ...validity, ...drift]
  const name = worstOf(all.flatMap(namesOf))
  const warnings = [...record.warnings, ...all.filter(({ verdict }) => verdict === 'MODEL-DRIFT').map(warningOf)]
  return {
    name,
    sentence: name === 'HOLDS' ? holds(record, judgements) : breaks(name, judgements),
    judgements: all,
    warnings,
  }
}

function stability(record: RunRecord, thresholds: Thresholds, { confirm }: Beside): Judgement[] {
  const judgement = notMetastable(record, thresholds)
  if (judgement.verdict !== 'METASTABLE') return [judgement]
  return [judgement, confirmed(confirm?.(), thresholds)]
}

function invalid(validity: readonly Judgement[], record: RunRecord): Verdict {
  const reasons = validity.filter(({ verdict }) => verdict === 'INVALID').map(({ sentence }) => sentence)
  return { name: 'INVALID', sentence: `INVALID: ${reasons.join(' ')}`, judgements: validity, warnings: record.warnings }
}

function namesOf({ verdict }: Judgement): VerdictName[] {
  return verdict === 'pass' || verdict === 'not judged' || verdict === 'MODEL-DRIFT' ? [] : [verdict]
}

function warningOf({ verdict, sentence }: Judgement): string {
  return `${verdict}: ${sentence}`
}

/** The sentences of the rules that gave the name, then the other names. V6 is printed with V5. */
function breaks(name: VerdictName, judgements: readonly Judgement[]): string {
  const reasons = judgements.filter(({ verdict, rule }) => verdict === name || (rule === 'V6' && verdict === 'pass'))
  const others = new Set(judgements.flatMap(namesOf).filter((other) => other !== name))
  const also = others.size === 0 ? '' : ` Also ${[...others].join(', ')}.`
  return `${name}: ${reasons.map(({ sentence }) => sentence).join(' ')}${also}`
}

function holds(record: RunRecord, judgements: readonly Judgement[]): string {
  const of = (rule: string) => judgements.find((each) => each.rule === rule && each.verdict === 'pass')
  const [v1, v3, v4, v9] = [of('V1'), of('V3'), of('V4'), of('V9')]
  const parts: string[] = []
  const { multiple, share } = v1?.numbers ?? {}
  const hardest = hardestStress(record)
  if (multiple !== undefined && share !== undefined) {
    parts.push(`at ${times(multiple)} its capacity it serves ${percent(share)} of what it could`)
  } else if (hardest !== undefined) {
    const length = seconds(hardest.toMs - hardest.fromMs)
    parts.push(`it bears ${times(multipleOf(record, hardest))} its capacity for ${length}`)
  }
  const { p99Ms, p99MaxMs } = v3?.numbers ?? {}
  if (p99Ms !== undefined && p99MaxMs !== undefined) {
    parts.push(`99 of 100 successes come within ${ms(p99Ms)} of ${ms(p99MaxMs)} allowed`)
  }
  if (v9?.numbers.p99Ms !== undefined) parts.push(`99 of 100 refusals within ${ms(v9.numbers.p99Ms)}`)
  const back = v4 === undefined ? undefined : recoveryWords(v4)
  if (back !== undefined) parts.push(`it is ${back}`)
  const last = parts.pop() ?? 'it keeps what the plan asks for'
  return `HOLDS: ${parts.length === 0 ? last : `${parts.join(', ')}, and ${last}`}.`
}
