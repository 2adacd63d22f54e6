// A share per tenant in front of the door: the one who uses too much is told 429 and when to come back, the others notice
// nothing.

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createQuota, protect } from 'spillway'

const listener = protect((_request, response) => void response.end('hello\n'), {
  limit: 100,
  quota: createQuota({ limit: '3/min' }),
  keyOf: (exchange) => exchange.header('x-tenant'),
})
const server = createServer(listener).listen(0, '127.0.0.1')
await new Promise((resolve) => server.once('listening', resolve))
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

for (const tenant of ['a', 'a', 'a', 'a', 'b']) {
  const response = await fetch(url, { headers: { 'x-tenant': tenant } })
  console.log(tenant, response.status, response.headers.get('retry-after') ?? '')
  await response.text()
}
server.close()
server.closeAllConnections()
