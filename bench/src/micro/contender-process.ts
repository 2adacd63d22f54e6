// A process that measures contenders for its parent: one, or with tiny batches, where nothing is learned from a process
// of its own, all of them.

import { serveParent, tell } from '../parent.ts'
import { type ContenderName, contenders } from './contenders/index.ts'
import { type Measured, measureContender } from './measure.ts'

export interface MeasureOrder {
  readonly name: ContenderName
  readonly quick: boolean
}

export type MeasureAnswer = { readonly measured: Measured } | { readonly problem: string }

serveParent(async ({ name, quick }: MeasureOrder): Promise<MeasureAnswer> => {
  try {
    return { measured: await measureContender(await contenders[name](), quick) }
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) }
  }
})
tell({ ready: true })
