// Callers: one request over HTTP/1 or HTTP/2, which can leave at any moment, and a bare socket for what no client would do.

import { Agent, type IncomingHttpHeaders, type IncomingMessage, request as requestHttp1 } from 'node:http'
import type { ClientHttp2Session, ClientHttp2Stream } from 'node:http2'
import { request as requestHttps } from 'node:https'
import { connect, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'
import { until } from './wait.ts'

export interface Reply {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

export interface Asking {
  readonly method?: string
  readonly path?: string
  readonly headers?: Readonly<Record<string, string | string[]>>
  readonly body?: string | Buffer
}

/** A request on its way. */
export interface Asked {
  /** The whole answer; rejects when the caller has left or was cut off. */
  readonly reply: Promise<Reply>
  /** Ends when the head of the answer has come. */
  readonly head: Promise<void>
  /** Bytes of the answer that have come. */
  received(): number
  leave(): void
}

/** Where to ask: a port, over TLS or not, or a session of HTTP/2. */
export interface Target {
  readonly port: number
  readonly secure?: boolean
  readonly session?: ClientHttp2Session | undefined
  readonly agent?: Agent | undefined
}

export function ask(target: Target, asking: Asking = {}): Asked {
  return target.session === undefined ? askHttp1(target, asking) : askHttp2(target.session, asking)
}

/** An agent that keeps its connections, to be destroyed by whoever made it. */
export function keepAlive(): Agent {
  return new Agent({ keepAlive: true, maxSockets: 1 })
}

function askHttp1({ port, secure = false, agent }: Target, asking: Asking): Asked {
  const { method = 'GET', path = '/', headers = {}, body } = asking
  const options = { host: '127.0.0.1', port, method, path, headers, rejectUnauthorized: false }
  // Without an agent every request has a connection of its own, closed after it.
  const request = (secure ? requestHttps : requestHttp1)({ ...options, agent: agent ?? false })
  let bytes = 0
  const response = new Promise<IncomingMessage>((resolve, reject) => {
    request.once('response', resolve).once('close', () => reject(new Error('no answer')))
  })
  const reply = response.then(
    (answer) =>
      new Promise<Reply>((resolve, reject) => {
        const chunks: Buffer[] = []
        answer.on('data', (chunk: Buffer) => {
          chunks.push(chunk)
          bytes += chunk.length
        })
        answer.once('error', reject)
        answer.once('end', () => {
          resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: Buffer.concat(chunks).toString() })
        })
      }),
  )
  // Errors end `reply` by way of 'close'; who does not look at it has left on purpose.
  request.on('error', () => undefined)
  reply.catch(() => undefined)
  const head = response.then(() => undefined)
  head.catch(() => undefined)
  request.end(body)
  return { reply, head, received: () => bytes, leave: () => void request.destroy() }
}

function askHttp2(session: ClientHttp2Session, asking: Asking): Asked {
  const { method = 'GET', path = '/', headers = {}, body } = asking
  const fields = { ...headers, ':method': method, ':path': path }
  const stream = session.request(fields, { endStream: body === undefined })
  let bytes = 0
  const response = new Promise<IncomingHttpHeaders>((resolve, reject) => {
    stream.once('response', (answer) => resolve(answer as IncomingHttpHeaders))
    stream.once('close', () => reject(new Error(`no answer: stream closed with ${stream.rstCode}`)))
  })
  const reply = new Promise<Reply>((resolve, reject) => {
    const chunks: Buffer[] = []
    stream.on('data', (chunk: Buffer) => {
      chunks.push(chunk)
      bytes += chunk.length
    })
    stream.once('close', () => reject(new Error(`stream closed with ${stream.rstCode}`)))
    response.then(
      (answer) => {
        const end = (): void =>
          resolve({ status: Number(answer[':status']), headers: answer, body: Buffer.concat(chunks).toString() })
        if (stream.readableEnded) end()
        else stream.once('end', end)
      },
      (error: unknown) => reject(error as Error),
    )
  })
  stream.on('error', () => undefined)
  reply.catch(() => undefined)
  const head = response.then(() => undefined)
  head.catch(() => undefined)
  if (body !== undefined) stream.end(body)
  return { reply, head, received: () => bytes, leave: () => leaveStream(stream) }
}

function leaveStream(stream: ClientHttp2Stream): void {
  // 8 is CANCEL, what a client that gives up says.
  if (!stream.destroyed) stream.close(8)
}

/** A bare connection, open until it is closed or the test is over. */
export class Wire {
  readonly socket: Socket
  text = ''
  closed = false
  ended = false

  constructor(port: number) {
    this.socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
    onTestFinished(() => this.leave())
    this.socket.on('error', () => undefined)
    this.socket.on('data', (chunk: Buffer) => {
      this.text += chunk.toString('latin1')
    })
    this.socket.on('end', () => {
      this.ended = true
    })
    this.socket.on('close', () => {
      this.closed = true
    })
  }

  write(text: string | Buffer): this {
    this.socket.write(text)
    return this
  }

  /** Reads nothing from now on. */
  pause(): this {
    this.socket.pause()
    return this
  }

  /** Waits until this has come. */
  async hears(text: string): Promise<void> {
    await until(() => this.text.includes(text), `"${text}" in ${JSON.stringify(this.text.slice(0, 300))}`)
  }

  /** How often this has come. */
  count(text: string): number {
    return this.text.split(text).length - 1
  }

  leave(): void {
    this.socket.destroy()
  }
}
