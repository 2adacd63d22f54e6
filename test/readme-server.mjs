// Preloaded before a code block of the README: a server that asks for port 3000 gets a free one, is asked once for `/`
// over its own protocol, its answer is printed, and the process ends. What the block promises is thus run as written.

import { connect } from 'node:http2'
import { Server } from 'node:net'

const { listen } = Server.prototype

Server.prototype.listen = function (...args) {
  const [first] = args
  if (typeof first === 'object' && first !== null) args[0] = { ...first, port: 0, host: '127.0.0.1' }
  else args[0] = 0
  this.once('listening', () => {
    askOnce(this).then(
      (line) => {
        console.log(line)
        process.exit(0)
      },
      (error) => {
        console.error(error)
        process.exit(1)
      },
    )
  })
  return listen.apply(this, args)
}

async function askOnce(server) {
  const origin = `http://127.0.0.1:${server.address().port}`
  if (server.constructor.name === 'Http2Server') return askHttp2(origin)
  const response = await fetch(origin)
  return `${response.status} ${(await response.text()).trim()}`
}

function askHttp2(origin) {
  return new Promise((resolve, reject) => {
    const session = connect(origin).on('error', reject)
    const stream = session.request({ ':path': '/' })
    let status = 0
    let body = ''
    stream.setEncoding('utf8')
    stream.on('response', (headers) => {
      status = headers[':status']
    })
    stream.on('data', (chunk) => {
      body += chunk
    })
    stream.on('end', () => resolve(`${status} ${body.trim()}`))
  })
}
