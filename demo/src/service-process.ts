// One service in a process of its own. It reports its memory and its queue ten times a second.

import { serveParent, tell } from './child.ts'
import type { ServiceOrder } from './messages.ts'
import { preferGenerator } from './priority.ts'
import { resourceKinds } from './resources/resource.ts'
import { createService, listen } from './service.ts'

const readingEveryMs = 100

serveParent(async (order: ServiceOrder) => {
  preferGenerator('service')
  const kind = resourceKinds[order.resource]
  const resource = await kind.open(order.database)
  const { server, reading } = createService({ service: order.service, resource, limit: kind.slots })
  const port = await listen(server, 0)
  setInterval(() => tell(reading()), readingEveryMs)
  tell({ type: 'listening', port })
})
