// Measures what the resource can do when nothing is in front of it and nobody waits: as many callers as it has slots,
// each starting its next job when its last one ends. Every share of capacity in the report is a share of this number.

import { serveParent, tell } from './child.ts'
import type { CapacityOrder } from './messages.ts'
import { type Resource, resourceKinds } from './resources/resource.ts'

serveParent(async (order: CapacityOrder) => {
  const kind = resourceKinds[order.resource]
  const resource = await kind.open(order.database)
  const callers = Array.from({ length: kind.slots }, () => callBackToBack(resource, order.durationMs))
  const rates = await Promise.all(callers)
  await resource.close()
  tell({ type: 'capacity', perS: rates.reduce((sum, rate) => sum + rate, 0) })
})

/** Jobs per second of one caller, up to the end of its last job: counting to the cut would lose the unfinished part. */
async function callBackToBack(resource: Resource, durationMs: number): Promise<number> {
  const fromMs = performance.now()
  let jobs = 0
  let nowMs = fromMs
  while (nowMs - fromMs < durationMs) {
    await resource.use()
    nowMs = performance.now()
    jobs++
  }
  return (jobs * 1000) / (nowMs - fromMs)
}
