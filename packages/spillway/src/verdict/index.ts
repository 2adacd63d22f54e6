// The verdict: the record of a run under load in, a name and a sentence out. The simulator and the load lab fill the same
// record, so both are judged by the same rules.

export { agrees } from './agreement.ts'
export { maxMinParts } from './fairness.ts'
export type { FairnessRule } from './fairness-rule.ts'
export { type Judgement, type RuleName, ruleTable } from './judgement.ts'
export { type Measures, measuresOf } from './measures.ts'
export {
  rankOf,
  type VerdictName,
  verdictNames,
  verdictTable,
  type WarningName,
  warningTable,
  worstOf,
} from './name.ts'
export { type Recovery, recoveryOf } from './recovery.ts'
export { judgeRepeats, type RepeatedVerdict } from './repeats.ts'
export type {
  GroupCount,
  Interval,
  Latencies,
  Phase,
  PhaseLatencies,
  PhaseRole,
  RunRecord,
} from './run-record.ts'
export { hardestStress, multipleOf, phasesOf, roleOf } from './series.ts'
export {
  type Bounds,
  mean,
  meanInterval,
  normalQuantile,
  quantile,
  studentQuantile,
  variance,
  wilsonInterval,
} from './statistics.ts'
export { type ThresholdOptions, type Thresholds, thresholdOptions, thresholdsOf } from './thresholds.ts'
export { type Beside, judge, type Verdict } from './verdict.ts'
