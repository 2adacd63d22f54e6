// What the processes of an HTTP bench say to each other.

export const adapters = ['node-http', 'http2', 'express', 'fastify', 'hono', 'koa'] as const
export type AdapterName = (typeof adapters)[number]

/** `hello` answers with a greeting, `refusal` with 503. */
export type Scene = 'hello' | 'refusal'
export type Variant = 'bare' | 'gated'

/** The first message of a server. */
export interface Listening {
  readonly port: number
}

export type ServerOrder = { readonly read: 'cpu' } | { readonly read: 'allocation'; readonly edge: 'start' | 'end' }

/** CPU time of the whole server process so far, µs. */
export interface CpuReading {
  readonly cpuUs: number
}

export interface AllocationReading {
  readonly bytes: number
}

export interface ClientOrder {
  readonly port: number
  readonly protocol: 'http1' | 'http2'
  readonly requests: number
  readonly connections: number
}

export interface DriveResult {
  /** Status → how often it came. */
  readonly statuses: Readonly<Record<string, number>>
  readonly wallMs: number
}
export type ClientAnswer = DriveResult | { readonly problem: string }
