// The plants there are: one line each.

import type { PlantPlan } from '../scenario.ts'
import { EndlessPlant } from './endless.ts'
import { LoopPlant } from './loop.ts'
import type { Plant, PlantContext } from './plant.ts'
import { PoolPlant } from './pool.ts'
import { SharingPlant } from './sharing.ts'

export function plantOf(plan: PlantPlan, context: PlantContext): Plant {
  switch (plan.kind) {
    case 'pool':
      return new PoolPlant(plan, context)
    case 'sharing':
      return new SharingPlant(plan, context)
    case 'loop':
      return new LoopPlant(context)
    case 'endless':
      return new EndlessPlant(context.world)
  }
}
