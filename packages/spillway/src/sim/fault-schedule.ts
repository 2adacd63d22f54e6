// Puts faults into effect at their times. Whatever lasts is a condition of the fleet, so that instances which start in the
// middle of it are hit as well.

import type { Fault } from './fault.ts'
import type { Condition } from './fleet.ts'
import type { Instance } from './instance.ts'
import type { Service } from './service.ts'
import type { World } from './world.ts'

// In how many steps a cold start warms up.
const WARMING_STEPS = 10

export function scheduleFaults(faults: readonly Fault[], services: ReadonlyMap<string, Service>, world: World): void {
  for (const fault of faults) {
    if (fault.kind === 'clock-jump') at(world, fault.atMs, () => world.stepWall(fault.byMs))
    else if ('service' in fault) schedule(fault, services.get(fault.service) as Service, world)
  }
}

type ServiceFault = Extract<Fault, { service: string }>

function schedule(fault: ServiceFault, { fleet, caches }: Service, world: World): void {
  switch (fault.kind) {
    case 'crash':
      at(world, fault.atMs, () => fleet.each(fault.instance, (each) => fleet.restart(each, fault.startUpMs ?? 0)))
      return
    case 'shutdown':
      at(world, fault.atMs, () => fleet.each(fault.instance, (each) => fleet.retire(each, fault.graceMs)))
      return
    case 'cache-flush':
      at(world, fault.atMs, () => {
        for (const cache of caches) cache.flush()
      })
      return
    case 'cold-start':
      for (let step = 0; step < WARMING_STEPS; step++) {
        const stepMs = (fault.toMs - fault.fromMs) / WARMING_STEPS
        const fromMs = fault.fromMs + step * stepMs
        const factor = 1 + (fault.factor - 1) * (1 - step / WARMING_STEPS)
        during(world, fromMs, fromMs + stepMs, slowDown(fault.instance, factor), fleet)
      }
      return
    default:
      during(world, fault.fromMs, fault.toMs, conditionOf(fault), fleet)
  }
}

type LastingFault = Extract<ServiceFault, { kind: 'slow-down' | 'outage' | 'black-hole' | 'capacity-loss' | 'pause' }>

function conditionOf(fault: LastingFault): Condition {
  const { instance } = fault
  const works = (each: Instance): void => each.plant.setMode('working', 0)
  switch (fault.kind) {
    case 'slow-down':
      return slowDown(instance, fault.factor)
    case 'outage':
      return { instance, apply: (each) => each.plant.setMode('failing', fault.failMs), undo: works }
    case 'black-hole':
      return { instance, apply: (each) => each.plant.setMode('hanging', 0), undo: works }
    case 'capacity-loss':
      return {
        instance,
        apply: (each) => each.plant.setSlots(fault.slots),
        undo: (each) => each.plant.setSlots(undefined),
      }
    case 'pause':
      return { instance, apply: (each) => each.stop(), undo: (each) => each.goOn() }
  }
}

function slowDown(instance: number | undefined, factor: number): Condition {
  return { instance, apply: (each) => each.slowDown(factor), undo: (each) => each.speedUp(factor) }
}

function during(
  world: World,
  fromMs: number,
  toMs: number,
  condition: Condition,
  fleet: { impose(condition: Condition): void; lift(condition: Condition): void },
): void {
  at(world, fromMs, () => fleet.impose(condition))
  at(world, toMs, () => fleet.lift(condition))
}

function at(world: World, atMs: number, act: () => void): void {
  world.setTimer(act, atMs)
}
