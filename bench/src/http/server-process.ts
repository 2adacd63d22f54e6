// A process with one server in it, which tells what it has used.

import type { AddressInfo } from 'node:net'
import { Allocation } from '../allocated.ts'
import { serveParent, tell } from '../parent.ts'
import type { AdapterName, AllocationReading, CpuReading, Scene, ServerOrder, Variant } from './messages.ts'
import { refusingServer } from './refusing-servers.ts'
import { helloServer } from './servers.ts'

const [scene, adapter, variant] = process.argv.slice(2) as [Scene, AdapterName, Variant]
const server = scene === 'refusal' ? refusingServer(variant) : await helloServer(adapter, variant)
// Connections rest while the other server of a pair is driven.
if ('keepAliveTimeout' in server) server.keepAliveTimeout = 600_000

let allocation: Allocation | undefined

serveParent((order: ServerOrder): CpuReading | AllocationReading => {
  if (order.read === 'cpu') {
    const { user, system } = process.cpuUsage()
    return { cpuUs: user + system }
  }
  if (order.edge === 'start') {
    allocation = new Allocation()
    return { bytes: 0 }
  }
  return { bytes: allocation?.end() ?? 0 }
})

server.listen(0, '127.0.0.1', () => tell({ port: (server.address() as AddressInfo).port }))
