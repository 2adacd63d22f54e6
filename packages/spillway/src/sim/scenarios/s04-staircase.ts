// Up a staircase of loads and down again: where the goodput stops growing, and whether the way down is as good as the way up.

import { phasesOf, totalsIn } from '../../verdict/series.ts'
import type { Criterion, Scenario, SimulatedRun } from '../scenario.ts'
import { atLeast, atMost, holds } from './criteria.ts'
import { capacityPerS, deadlineMs, referenceScenario } from './reference-service.ts'

const steps = [0.5, 0.8, 1, 1.2, 1.5, 2, 3, 5]
const step = (way: string) => (multiple: number) => ({ name: `stress ${way} ${multiple}x`, lengthMs: 10_000, multiple })
const phases = [...steps.map(step('up')), ...steps.slice(0, -1).reverse().map(step('down'))]

export const s04: Scenario = referenceScenario(
  phases,
  { timeoutMs: deadlineMs },
  {
    id: 'S04',
    title: 'Staircase',
    asks: 'the knee within a tenth of the capacity, and every load served as well on the way down as on the way up',
    passes: (run) => [holds(run), ...knee(run)],
  },
)

// Beyond the knee goodput is what the service can do: its mean over the loads well above the capacity.
function knee(run: SimulatedRun): readonly Criterion[] {
  const beyond = phasesOf(run, 'stress').filter(({ multiple = 0 }) => multiple > 1)
  const totals = beyond.flatMap((phase) => totalsIn(run, phase, 1000) ?? [])
  const good = totals.reduce((sum, each) => sum + each.good, 0)
  const seconds = totals.reduce((sum, each) => sum + each.seconds, 0)
  const ratio = seconds === 0 ? undefined : good / seconds / capacityPerS
  return [atLeast('knee ÷ capacity', 0.9, ratio), atMost('knee ÷ capacity', 1.1, ratio)]
}
