// What a plan may ask for differently. Each bar has one declaration: its unit, its usual value, and what a bar that is too
// low or too high lets through or complains about.

import { custom, type Given, integer, number, type Resolved, resolveOptions } from '../core/options.ts'
import { type FairnessRule, isFairnessRules } from './fairness-rule.ts'

const noFairnessRules: readonly FairnessRule[] = []

const share = (value: number, about: string) => number(0, 1, { default: value, about })
const span = (value: number, about: string) => number(0, 86_400_000, { unit: 'ms', default: value, about })

export const thresholdOptions = {
  settleMs: span(3000, 'V1, V2: start of each stress phase that is left out.'),
  plateauMin: share(0.9, 'V1: goodput as a share of what could be served, below which it is DEGRADED.'),
  collapseBelow: share(0.5, 'V1: the share below which it is COLLAPSE.'),
  slopeMin: share(0.95, 'V2: goodput at the highest load as a share of goodput at twice the capacity.'),
  hysteresisMin: share(0.95, 'Goodput on the way down as a share of goodput on the way up.'),
  p99MaxMs: number<number | undefined>(0, 86_400_000, {
    unit: 'ms',
    default: undefined,
    about: 'V3: bound on the p99 of successes; the deadline unless given.',
  }),
  lateRatioMax: share(
    0.01,
    'V3: share of those let in that may be late or unanswered; one in a hundred is what p99 means.',
  ),
  queueWaitMaxMs: number<number | undefined>(0, 86_400_000, {
    unit: 'ms',
    default: undefined,
    about: 'V3: bound on the longest wait in the queue, beside one service time; not judged unless given.',
  }),
  baseRatio: number<number | undefined>(0, 1, {
    default: undefined,
    about: 'V4: good share of a calm service, for plans without a baseline phase.',
  }),
  recoveryShareMin: share(0.95, 'V4: share of the baseline that counts as back.'),
  recoveryHoldMs: span(5000, 'V4: how long it must stay back.'),
  recoveryMaxMs: span(2000, 'V4: longest time to come back after the stress.'),
  metastableAfterMs: span(30_000, 'V5: time after the stress before a service is called metastable.'),
  drainFactor: number(1, 100, { default: 1.5, about: 'V5: multiple of the predicted drain that is waited for.' }),
  metastableLoadMax: share(0.85, 'V5: load after the stress, as a share of capacity, up to which it must come back.'),
  attemptsRatioMax: number(1, 1000, {
    default: 1.5,
    about: 'V5: attempts per request beyond which retries sustain it.',
  }),
  wastedRatioMax: share(0.5, 'V5: share of work for callers who had gone beyond which waste sustains it.'),
  unsentRatioMax: share(0.001, 'V7: share of the plan that the generator may fail to send.'),
  latenessMaxMs: span(2, 'V7: lateness p99 of the generator that is always allowed.'),
  latenessDeadlineShareMax: share(0.02, 'V7: lateness p99 of the generator as a share of the deadline.'),
  generatorUtilisationMax: share(0.7, "V7: utilisation of the generator's own event loop."),
  refusalP99MaxMs: span(10, 'V9: p99 of refusals that is always allowed.'),
  refusalServiceFactor: number(0, 1000, {
    default: 3,
    about: 'V9: multiple of the median service time that the p99 of refusals may reach.',
  }),
  refusalCostMax: share(0.05, 'V9: cost of a refusal as a share of the cost of a success.'),
  fairness: custom<readonly FairnessRule[], readonly FairnessRule[]>('a list of fairness rules', isFairnessRules, {
    default: noFairnessRules,
    about: 'V10: what each criticality or tenant is promised; not judged without.',
  }),
  memoryGrowthMaxMb: number(0, 1_000_000, {
    unit: 'MB',
    default: 64,
    about: 'Growth of memory over its level at rest.',
  }),
  healthFailedRatioMax: share(0, 'Share of health checks that may fail.'),
  repeatsMin: integer(1, 100_000, {
    default: 30,
    about: 'V11: runs needed before a proportion is believed; 5 are usual for live runs.',
    tooLow: 'a service that stays down in one run of ten passes',
  }),
  repeatsLowerBoundMax: share(
    0.05,
    'V11: what this share of runs is sure to suffer, with 95 % confidence, is the verdict.',
  ),
  agreementRatioMax: share(0.2, 'V12: relative difference of live and simulated numbers.'),
  agreementMs: span(10, 'V12: difference of latencies that is always allowed.'),
  agreementRecoveryMs: span(500, 'V12: difference of recovery times that is always allowed.'),
} as const

export type ThresholdOptions = Given<typeof thresholdOptions>
export type Thresholds = Resolved<typeof thresholdOptions>

/** The usual bars with a plan's own in their place. Throws SPILLWAY_OPTIONS_INVALID with every problem at once. */
export function thresholdsOf(given?: ThresholdOptions): Thresholds {
  return resolveOptions('thresholds', thresholdOptions, given, (resolved, problems) => {
    const { collapseBelow, plateauMin } = resolved
    if (collapseBelow > plateauMin) problems.add('collapseBelow', `<= plateauMin (${plateauMin})`, collapseBelow)
  })
}
