// An orderly stop: what runs may finish, what waits is served, newcomers are told to go elsewhere.

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { protect } from 'spillway'

const work = (_request: unknown, response: { end(text: string): unknown }): void => {
  setTimeout(() => response.end('done\n'), 100)
}
const listener = protect(work, { limit: 1 })
const server = createServer(listener).listen(0, '127.0.0.1')
await new Promise((resolve) => server.once('listening', resolve))
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

const early = [fetch(url), fetch(url)]
while (listener.door.snapshot().offered < 2) await new Promise((resolve) => setImmediate(resolve))

const drained = listener.door.drain({ graceMs: 3000 }) // On SIGTERM, say.
const late = await fetch(url)
console.log('late:', late.status, late.headers.get('x-shed-reason'), late.headers.get('connection'))
for (const response of await Promise.all(early)) console.log('early:', response.status)
console.log(await drained)
server.close()
