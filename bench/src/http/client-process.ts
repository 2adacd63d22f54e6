// The load of the HTTP benches: a closed loop over kept connections, one request in flight on each, on bare sockets. It
// must cost less than the servers it drives, so that they are what is saturated.

import { serveParent, tell } from '../parent.ts'
import type { Connection } from './connection.ts'
import { Http1Connection } from './http1-connection.ts'
import { Http2Connection } from './http2-connection.ts'
import type { ClientAnswer, ClientOrder, DriveResult } from './messages.ts'

// Connections by port, opened once and kept: a new connection costs a server more than the request.
const open = new Map<number, Promise<Connection[]>>()

serveParent(async (order: ClientOrder): Promise<ClientAnswer> => {
  try {
    return await drive(await connectionsTo(order), order.requests)
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) }
  }
})
tell({ ready: true })

function connectionsTo({ port, protocol, connections }: ClientOrder): Promise<Connection[]> {
  const known = open.get(port)
  if (known !== undefined) return known
  const make = protocol === 'http2' ? Http2Connection.open : Http1Connection.open
  const opened = Promise.all(Array.from({ length: connections }, () => make(port)))
  open.set(port, opened)
  // The next server may get the port of one that has ended.
  const forget = (): void => void open.delete(port)
  opened.then(([first]) => first?.onceClosed(forget), forget)
  return opened
}

// Sends so many requests, each connection its next one when the last was answered.
function drive(connections: readonly Connection[], requests: number): Promise<DriveResult> {
  return new Promise((resolve, reject) => {
    const statuses: Record<string, number> = {}
    const startedAt = performance.now()
    let sent = 0
    let answered = 0
    for (const connection of connections) {
      connection.onLost = reject
      connection.onAnswer = (status) => {
        statuses[status] = (statuses[status] ?? 0) + 1
        answered++
        if (sent < requests) {
          sent++
          connection.send()
        } else if (answered === requests) resolve({ statuses, wallMs: performance.now() - startedAt })
      }
    }
    for (const connection of connections.slice(0, requests)) {
      sent++
      connection.send()
    }
  })
}
