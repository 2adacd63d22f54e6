// Drives two servers against each other, bare and gated, and reads the CPU time each has used per answer. Requests per
// second would say more about the machine, and about the client on the other core, than about the servers.
//
// Within a repeat the load alternates between the two in slices, first one first, then the other, so that both meet the
// same machine. A slice is long enough for a server to have the caches of the core to itself again. Every repeat has two fresh server processes: what the compiler makes of the same code differs
// by a few per cent from process to process, which is the size of what is measured.

import { InvalidRun } from '../bench.ts'
import { Child } from '../child.ts'
import type {
  AdapterName,
  AllocationReading,
  ClientAnswer,
  ClientOrder,
  CpuReading,
  DriveResult,
  Listening,
  Scene,
  ServerOrder,
  Variant,
} from './messages.ts'

/** How much load a repeat is. */
export interface Load {
  readonly warmUp: number
  readonly slices: number
  readonly perSlice: number
  readonly connections: number
}

// Node's HTTP is not done being optimised before some 20 000 requests, on a busy machine later: at 6 000 a response costs
// twice as much, and the door a multiple of what it costs in the end.
export const fullLoad: Load = { warmUp: 25_000, slices: 10, perSlice: 4000, connections: 32 }
export const quickLoad: Load = { warmUp: 20, slices: 2, perSlice: 20, connections: 4 }

/** What one repeat gave of one server. */
export interface Driven {
  readonly cpuNs: number
  readonly wallNs: number
  readonly bytes: number
}

const serverScript = new URL('./server-process.ts', import.meta.url)
const clientScript = new URL('./client-process.ts', import.meta.url)
const variants = ['bare', 'gated'] as const satisfies readonly Variant[]

class Side {
  readonly variant: Variant
  readonly #server: Child
  #port = 0
  cpuUs = 0
  wallMs = 0
  requests = 0

  constructor(scene: Scene, adapter: AdapterName, variant: Variant) {
    this.variant = variant
    const label = `the ${variant} ${adapter} server`
    this.#server = new Child(serverScript, label, [scene, adapter, variant], ['--expose-gc'])
  }

  async listen(): Promise<void> {
    const { port } = await this.#server.next<Listening>()
    this.#port = port
  }

  order(adapter: AdapterName, requests: number, connections: number): ClientOrder {
    return { port: this.#port, protocol: adapter === 'http2' ? 'http2' : 'http1', requests, connections }
  }

  read<Answer>(order: ServerOrder): Promise<Answer> {
    return this.#server.ask<Answer>(order)
  }

  stop(): void {
    this.#server.kill()
  }
}

/** The process that drives the servers, for as many repeats as are wanted. Kill it in the end. */
export async function startClient(): Promise<Child> {
  const client = new Child(clientScript, 'the load client', [])
  await client.next()
  return client
}

/** One repeat: both servers, started afresh. Throws {@link InvalidRun} when an answer has another status. */
export async function drivePair(
  client: Child,
  scene: Scene,
  adapter: AdapterName,
  load: Load,
  repeat: number,
): Promise<Record<Variant, Driven>> {
  const sides = variants.map((variant) => new Side(scene, adapter, variant))
  try {
    await Promise.all(sides.map((side) => side.listen()))
    const drive = async (side: Side, requests: number): Promise<DriveResult> => {
      const answer = await client.ask<ClientAnswer>(side.order(adapter, requests, load.connections))
      return checked(answer, requests, scene === 'hello' ? 200 : 503, `${adapter}, ${side.variant}`)
    }
    for (const side of sides) await drive(side, load.warmUp)
    for (let slice = 0; slice < load.slices; slice++)
      for (const side of (slice + repeat) % 2 === 0 ? sides : sides.toReversed())
        await timed(side, load.perSlice, drive)
    const driven = {} as Record<Variant, Driven>
    for (const side of sides) driven[side.variant] = await summary(side, load.perSlice, drive)
    return driven
  } finally {
    for (const side of sides) side.stop()
  }
}

type Drive = (side: Side, requests: number) => Promise<DriveResult>

async function timed(side: Side, requests: number, drive: Drive): Promise<void> {
  const before = await side.read<CpuReading>({ read: 'cpu' })
  const { wallMs } = await drive(side, requests)
  const after = await side.read<CpuReading>({ read: 'cpu' })
  side.cpuUs += after.cpuUs - before.cpuUs
  side.wallMs += wallMs
  side.requests += requests
}

async function summary(side: Side, requests: number, drive: Drive): Promise<Driven> {
  await side.read({ read: 'allocation', edge: 'start' })
  await drive(side, requests)
  const { bytes } = await side.read<AllocationReading>({ read: 'allocation', edge: 'end' })
  return {
    cpuNs: (side.cpuUs * 1000) / side.requests,
    wallNs: (side.wallMs * 1e6) / side.requests,
    bytes: bytes / requests,
  }
}

function checked(answer: ClientAnswer, requests: number, status: number, where: string): DriveResult {
  if ('problem' in answer) throw new InvalidRun(`${where}: ${answer.problem}`)
  if (answer.statuses[status] === requests) return answer
  throw new InvalidRun(`${where}: ${requests} answers of ${status} were due, got ${JSON.stringify(answer.statuses)}`)
}
