// HTTP/1.1 on a bare socket: one request, sent again and again, and just enough parsing to know where an answer ends.

import { connect, type Socket } from 'node:net'
import type { Connection } from './connection.ts'

const request = Buffer.from(
  'GET / HTTP/1.1\r\nhost: 127.0.0.1\r\nuser-agent: spillway-bench\r\naccept: */*\r\naccept-encoding: identity\r\n\r\n',
)
const HEAD_END = '\r\n\r\n'
const LENGTH = /\r\ncontent-length: *(\d+)\r\n/i

export class Http1Connection implements Connection {
  onAnswer: (status: number) => void = () => {}
  onLost: (error: Error) => void = () => {}
  readonly #socket: Socket
  // The part of an answer that has come; empty between answers.
  #rest: Buffer = Buffer.alloc(0)

  static open(port: number): Promise<Http1Connection> {
    return new Promise((resolve, reject) => {
      const socket = connect({ port, host: '127.0.0.1', noDelay: true })
      socket.once('error', reject)
      socket.once('connect', () => resolve(new Http1Connection(socket)))
    })
  }

  private constructor(socket: Socket) {
    this.#socket = socket
    socket.on('data', (chunk) => this.#onData(chunk))
    socket.on('error', (error) => this.onLost(error))
    socket.on('close', () => this.onLost(new Error('the server closed a connection')))
  }

  send(): void {
    this.#socket.write(request)
  }

  onceClosed(listener: () => void): void {
    this.#socket.once('close', listener)
  }

  #onData(chunk: Buffer): void {
    const bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk])
    const headEnd = bytes.indexOf(HEAD_END)
    const head = headEnd === -1 ? '' : bytes.toString('latin1', 0, headEnd + 2)
    const length = LENGTH.exec(head)?.[1]
    if (headEnd !== -1 && length === undefined) {
      this.onLost(new Error('an answer came without a content-length'))
      return
    }
    const size = headEnd + HEAD_END.length + Number(length)
    if (headEnd === -1 || bytes.length < size) {
      this.#rest = bytes
      return
    }
    this.#rest = bytes.subarray(size)
    // "HTTP/1.1 200 …"
    this.onAnswer(Number(head.slice(9, 12)))
  }
}
