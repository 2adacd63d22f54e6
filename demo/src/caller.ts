// The generator's own HTTP client, over plain sockets. A library would be better code, and two were tried: with
// node:http and with undici the generator's own garbage collection made it late (p99 of 6 to 30 ms at 2 × 1000/s on two
// cores, against 3 to 5 ms here), and a generator that is late measures itself. It speaks only what the demo's services
// speak: one request at a time on a connection, answers with a length, in chunks, or up to the end of the connection.

import { connect, type Socket } from 'node:net'

/** Status 0 stands for a connection that broke. `reason` is the refusal's `x-shed-reason`. */
export type Answered = (status: number, reason: string | undefined) => void

/** Leaves without an answer, as an impatient caller does: the socket is destroyed. */
export type Leave = () => void

// One buffer serves all connections: what arrives is turned into text before the next read.
const readBuffer = Buffer.allocUnsafe(16_384)

/**
 * Callers of one service. Connections are kept alive and reused, the last freed first, and there may be as many as
 * there are callers waiting: at most the offered rate times the timeout, about a thousand.
 */
export class Callers {
  readonly #port: number
  readonly #free: Connection[] = []
  readonly #all = new Set<Connection>()
  readonly #plain: string
  readonly #critical: string

  constructor(port: number, timeoutMs: number) {
    this.#port = port
    const head = `GET / HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nx-request-timeout-ms: ${timeoutMs}\r\n`
    this.#plain = `${head}\r\n`
    this.#critical = `${head}x-criticality: critical\r\n\r\n`
  }

  send(critical: boolean, answered: Answered): Leave {
    const connection = this.#free.pop() ?? this.#open()
    connection.ask(critical ? this.#critical : this.#plain, answered)
    return () => connection.socket.destroy()
  }

  close(): void {
    for (const connection of this.#all) connection.socket.destroy()
  }

  #open(): Connection {
    const connection = new Connection(
      this.#port,
      () => this.#free.push(connection),
      () => {
        this.#all.delete(connection)
        const index = this.#free.indexOf(connection)
        if (index !== -1) this.#free.splice(index, 1)
      },
    )
    this.#all.add(connection)
    return connection
  }
}

class Connection {
  readonly socket: Socket
  readonly #free: () => void
  #answered: Answered | undefined
  #text = ''

  constructor(port: number, free: () => void, gone: () => void) {
    this.#free = free
    this.socket = connect({
      port,
      host: '127.0.0.1',
      noDelay: true,
      onread: {
        buffer: readBuffer,
        callback: (length) => {
          this.#text += readBuffer.toString('latin1', 0, length)
          this.#read(false)
          return true
        },
      },
    })
    // The close that follows says the same.
    this.socket.on('error', () => {})
    this.socket.once('end', () => this.#read(true))
    this.socket.once('close', () => {
      gone()
      this.#settle(0, undefined)
    })
  }

  ask(request: string, answered: Answered): void {
    this.#text = ''
    this.#answered = answered
    this.socket.write(request, 'latin1')
  }

  #read(ended: boolean): void {
    const answer = readAnswer(this.#text, ended)
    if (answer === undefined) return
    // Free before telling: the one who is told may send the next request at once.
    if (answer.reusable && !ended && !this.socket.destroyed) this.#free()
    else this.socket.destroy()
    this.#settle(answer.status, answer.reason)
  }

  #settle(status: number, reason: string | undefined): void {
    const answered = this.#answered
    this.#answered = undefined
    answered?.(status, reason)
  }
}

export type Answer = {
  readonly status: number
  readonly reason: string | undefined
  readonly reusable: boolean
}

/** Reads one answer from what has arrived so far, or nothing while it is not all there. */
export function readAnswer(text: string, ended: boolean): Answer | undefined {
  const bodyAt = text.indexOf('\r\n\r\n') + 4
  if (bodyAt === 3) return undefined
  const head = text.slice(0, bodyAt).toLowerCase()
  const length = field(head, 'content-length')
  const chunked = field(head, 'transfer-encoding') === 'chunked'
  let complete = ended
  if (length !== undefined) complete = text.length - bodyAt >= Number(length)
  else if (chunked) complete = text.startsWith('0\r\n\r\n', bodyAt) || text.endsWith('\r\n0\r\n\r\n')
  if (!complete) return undefined
  return {
    status: Number(head.slice(9, 12)),
    reason: field(head, 'x-shed-reason'),
    reusable: (length !== undefined || chunked) && field(head, 'connection') !== 'close',
  }
}

function field(head: string, name: string): string | undefined {
  const at = head.indexOf(`\r\n${name}:`)
  if (at === -1) return undefined
  return head.slice(at + name.length + 3, head.indexOf('\r\n', at + 2)).trim()
}
