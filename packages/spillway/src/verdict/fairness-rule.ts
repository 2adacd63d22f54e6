// What a plan may promise to groups of callers, as data: a success share, an order of classes, a fair share of capacity.

export type FairnessRule =
  /** Of each of these groups at least this share is served well. `all` are all of its kind, `except` leaves some out. */
  | {
      readonly kind: 'success'
      readonly by: 'criticality' | 'tenant'
      readonly groups: 'all' | readonly string[]
      readonly except?: readonly string[]
      readonly shareMin: number
    }
  /** Criticalities, most important first: none may be served worse than one behind it, but for `slack`. */
  | { readonly kind: 'order'; readonly groups: readonly string[]; readonly slack: number }
  /**
   * Each group gets this share of its max-min fair part: what it asks for, as far as capacity reaches when nobody gets
   * more than an equal part while others want more.
   */
  | { readonly kind: 'fair-share'; readonly by: 'criticality' | 'tenant'; readonly shareMin: number }

export function isFairnessRules(value: unknown): value is readonly FairnessRule[] {
  return Array.isArray(value) && value.every((rule) => isRule(rule as Record<string, unknown> | null))
}

function isRule(rule: Record<string, unknown> | null): boolean {
  switch (rule?.kind) {
    case 'success':
      return isBy(rule.by) && (rule.groups === 'all' || isNames(rule.groups)) && isShare(rule.shareMin)
    case 'order':
      return isNames(rule.groups) && isShare(rule.slack)
    case 'fair-share':
      return isBy(rule.by) && isShare(rule.shareMin)
    default:
      return false
  }
}

function isBy(value: unknown): boolean {
  return value === 'criticality' || value === 'tenant'
}

function isNames(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0 && value.every((name) => typeof name === 'string')
}

function isShare(value: unknown): boolean {
  return typeof value === 'number' && value >= 0 && value <= 1
}
