// Checks of faults.

import type { Problems } from '../core/problems.ts'
import { add, bounds, type Field, type NumberBounds, oneOf } from './check-field.ts'
import type { Fault, FaultKind } from './fault.ts'

// Numbers of each kind beside its time.
const numbersOf: Readonly<Record<FaultKind, Readonly<Record<string, NumberBounds>>>> = {
  'slow-down': { factor: { above: 0 } },
  outage: { failMs: { min: 0, optional: true } },
  'black-hole': {},
  'capacity-loss': { slots: { min: 0 } },
  pause: {},
  'cold-start': { factor: { above: 0 } },
  crash: { startUpMs: { min: 0, optional: true } },
  'cache-flush': {},
  'clock-jump': { byMs: {} },
  'tenant-burst': { perS: { min: 0 } },
  'expensive-queries': { share: { min: 0, max: 1 }, factor: { above: 0 } },
  shutdown: { graceMs: { min: 0 } },
}

const kinds = Object.keys(numbersOf)
const instants: ReadonlySet<string> = new Set(['crash', 'cache-flush', 'clock-jump', 'shutdown'])
const placeless: ReadonlySet<string> = new Set(['clock-jump', 'tenant-burst', 'expensive-queries'])

export function checkFaults(faults: readonly Fault[], services: readonly string[], problems: Problems): void {
  faults.forEach((fault, index) => {
    checkFault(fault, { problems, name: `faults[${index}]` }, services)
  })
}

function checkFault(fault: Fault, field: Field, services: readonly string[]): void {
  const { kind } = fault
  if (!kinds.includes(kind)) {
    add(field, 'kind', oneOf(kinds), kind)
    return
  }
  const given = fault as unknown as Record<string, number>
  if (instants.has(kind)) bounds(field, given, 'atMs', { min: 0 })
  else {
    bounds(field, given, 'fromMs', { min: 0 })
    bounds(field, given, 'toMs', { above: given.fromMs ?? 0 })
  }
  for (const [name, bound] of Object.entries(numbersOf[kind])) bounds(field, given, name, bound)
  if (placeless.has(kind)) return
  const { service } = fault as { service?: unknown }
  if (!services.includes(service as string)) add(field, 'service', oneOf(services), service)
  bounds(field, given, 'instance', { min: 0, whole: true, optional: true })
}
