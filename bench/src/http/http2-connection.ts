// HTTP/2 without TLS on a bare socket (RFC 9113): the frames that one GET at a time needs. Node's own client costs twice
// what the server does, and the server would never be saturated.

import { connect, type Socket } from 'node:net'
import type { Connection } from './connection.ts'

const frame = { data: 0, headers: 1, reset: 3, settings: 4, ping: 6, goAway: 7, windowUpdate: 8 } as const
const flag = { ack: 1, endStream: 1, endHeaders: 4 } as const
const FRAME_HEAD = 9
const preface = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n')
// The window of the connection as large as it may be: the answers of a whole bench are smaller.
const WINDOW_INCREMENT = 2 ** 31 - 1 - 65_535

// RFC 7541: indexed fields for method, path and scheme; literals, not to be indexed, for the rest.
const headerBlock = Buffer.concat([
  Buffer.from([0x82, 0x84, 0x86]),
  literal([0x01], '127.0.0.1'),
  literal([0x0f, 0x2b], 'spillway-bench'),
  literal([0x0f, 0x04], '*/*'),
])
// Indexed field 8 is ":status: 200".
const STATUS_200 = 0x88

export class Http2Connection implements Connection {
  onAnswer: (status: number) => void = () => {}
  onLost: (error: Error) => void = () => {}
  readonly #socket: Socket
  readonly #request = frameOf(frame.headers, flag.endStream | flag.endHeaders, headerBlock)
  #rest: Buffer = Buffer.alloc(0)
  #streamId = -1
  #status = 0

  static open(port: number): Promise<Http2Connection> {
    return new Promise((resolve, reject) => {
      const socket = connect({ port, host: '127.0.0.1', noDelay: true })
      socket.once('error', reject)
      socket.once('connect', () => resolve(new Http2Connection(socket)))
    })
  }

  private constructor(socket: Socket) {
    this.#socket = socket
    const increment = Buffer.alloc(4)
    increment.writeUInt32BE(WINDOW_INCREMENT)
    const settings = frameOf(frame.settings, 0, Buffer.alloc(0))
    socket.write(Buffer.concat([preface, settings, frameOf(frame.windowUpdate, 0, increment)]))
    socket.on('data', (chunk) => this.#onData(chunk))
    socket.on('error', (error) => this.onLost(error))
    socket.on('close', () => this.onLost(new Error('the server closed a connection')))
  }

  send(): void {
    this.#streamId += 2
    // A copy, since the socket may still hold the last one.
    const request = Buffer.from(this.#request)
    request.writeUInt32BE(this.#streamId, 5)
    this.#socket.write(request)
  }

  onceClosed(listener: () => void): void {
    this.#socket.once('close', listener)
  }

  #onData(chunk: Buffer): void {
    const bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk])
    let at = 0
    while (bytes.length - at >= FRAME_HEAD) {
      const end = at + FRAME_HEAD + bytes.readUIntBE(at, 3)
      if (bytes.length < end) break
      this.#onFrame(bytes[at + 3] as number, bytes[at + 4] as number, bytes.subarray(at + FRAME_HEAD, end))
      at = end
    }
    this.#rest = bytes.subarray(at)
  }

  #onFrame(type: number, flags: number, payload: Buffer): void {
    if (type === frame.headers) this.#status = statusOf(payload)
    if ((type === frame.headers || type === frame.data) && (flags & flag.endStream) !== 0) this.onAnswer(this.#status)
    else if (type === frame.settings && (flags & flag.ack) === 0)
      this.#socket.write(frameOf(frame.settings, flag.ack, Buffer.alloc(0)))
    else if (type === frame.ping && (flags & flag.ack) === 0) this.#socket.write(frameOf(frame.ping, flag.ack, payload))
    else if (type === frame.reset || type === frame.goAway) this.onLost(new Error('the server reset a stream'))
  }
}

// 200, or 0 for anything else: no other answer is expected, and reading it would take a decoder.
function statusOf(block: Buffer): number {
  let at = 0
  // Updates of the size of the dynamic table may come first.
  while (((block[at] ?? 0) & 0xe0) === 0x20) at++
  return block[at] === STATUS_200 ? 200 : 0
}

function frameOf(type: number, flags: number, payload: Buffer): Buffer {
  const head = Buffer.alloc(FRAME_HEAD)
  head.writeUIntBE(payload.length, 0, 3)
  head[3] = type
  head[4] = flags
  return Buffer.concat([head, payload])
}

function literal(name: readonly number[], value: string): Buffer {
  return Buffer.concat([Buffer.from([...name, value.length]), Buffer.from(value)])
}
