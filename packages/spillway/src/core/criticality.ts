// How much it costs to refuse a piece of work. Four classes, after the Google SRE book (chapter 21): few enough to be
// assigned by people, decided once at the edge, then carried unchanged.

/** From the work that must survive longest to the work that goes first. */
export const criticalities = ['critical-plus', 'critical', 'sheddable-plus', 'sheddable'] as const

/**
 * How much it costs to refuse: `critical-plus` (losing it is an incident), `critical` (a user waits for it),
 * `sheddable-plus` (a retry in minutes is fine), `sheddable` (batch, may be down for hours).
 */
export type Criticality = (typeof criticalities)[number]

/**
 * What unlabelled work is. Below `critical`, because a label that changes nothing would be no label; above `sheddable`,
 * because nobody has said that this work can wait.
 */
export const criticalityDefault: Criticality = 'sheddable-plus'

/** Reads a class in any case, with `_` or `-` (`CRITICAL_PLUS`); undefined for anything else. */
export function parseCriticality(text: string): Criticality | undefined {
  const name = text.trim().toLowerCase().replaceAll('_', '-')
  return criticalities.find((known) => known === name)
}
