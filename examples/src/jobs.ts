// A job that must not run a hundred times at once: two at a time, the rest waits up to half a second or is told no.

import { createAdmission, RejectedError } from 'spillway'

const door = createAdmission({ limit: 2, waitMaxMs: 500 })

async function renderReport(id: number): Promise<string> {
  await new Promise((resolve) => setTimeout(resolve, 20))
  return `report ${id}`
}

const results = await Promise.allSettled(
  Array.from({ length: 6 }, (_, id) => door.run(() => renderReport(id), { criticality: 'sheddable' })),
)
for (const result of results) {
  if (result.status === 'fulfilled') console.log(result.value)
  else if (result.reason instanceof RejectedError) console.log(result.reason.decision.toString())
  else throw result.reason
}
console.log(door.snapshot().success, 'done')
