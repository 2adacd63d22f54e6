// Callers for the adapter suite: one request over HTTP/1 or HTTP/2 that can leave at any moment.

import { request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import { connect } from 'node:http2'

export interface Reply {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

export interface Call {
  /** The answer; undefined when the caller left or the connection was lost before it was complete. */
  readonly reply: Promise<Reply | undefined>
  /** Resolves when the head of the response has come. */
  readonly head: Promise<void>
  leave(): void
}

export interface CallOptions {
  readonly method?: string
  readonly path?: string
  readonly headers?: Record<string, string>
  readonly body?: string | Buffer
}

export function call(port: number, http2: boolean, options: CallOptions = {}): Call {
  return http2 ? callHttp2(port, options) : callHttp1(port, options)
}

function callHttp1(port: number, { method = 'GET', path = '/', headers = {}, body }: CallOptions): Call {
  const typed = body === undefined ? headers : { 'content-type': 'text/plain', ...headers }
  const request = httpRequest({ host: '127.0.0.1', port, method, path, headers: typed, agent: false })
  const { promise: head, resolve: headCame } = Promise.withResolvers<void>()
  const reply = new Promise<Reply | undefined>((resolve) => {
    request.on('error', () => resolve(undefined))
    request.on('close', () => resolve(undefined))
    request.on('response', (response) => {
      headCame()
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (chunk: string) => {
        text += chunk
      })
      response.on('error', () => resolve(undefined))
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text }))
    })
  })
  request.end(body)
  return { reply, head, leave: () => request.destroy() }
}

function callHttp2(port: number, { method = 'GET', path = '/', headers = {}, body }: CallOptions): Call {
  const session = connect(`http://127.0.0.1:${port}`).on('error', () => {})
  const stream = session.request({ ':method': method, ':path': path, ...headers }, { endStream: body === undefined })
  const { promise: head, resolve: headCame } = Promise.withResolvers<void>()
  const reply = new Promise<Reply | undefined>((resolve) => {
    let status = 0
    let text = ''
    let received: IncomingHttpHeaders = {}
    stream.setEncoding('utf8')
    stream.on('response', (answer) => {
      headCame()
      status = Number(answer[':status'])
      received = answer as IncomingHttpHeaders
    })
    stream.on('data', (chunk: string) => {
      text += chunk
    })
    stream.on('error', () => resolve(undefined))
    stream.on('end', () => {
      resolve(status === 0 ? undefined : { status, headers: received, body: text })
      session.close()
    })
    stream.on('close', () => resolve(undefined))
  })
  if (body !== undefined) stream.end(body)
  return { reply, head, leave: () => session.destroy() }
}

/** Resolves when the condition holds; looks once a turn of the loop. The test's own time-out bounds it. */
export async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise<void>((resolve) => setImmediate(resolve))
}
