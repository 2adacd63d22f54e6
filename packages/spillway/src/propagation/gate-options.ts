// What can be said about a door that serves HTTP, beside what can be said about any door. Declared once; see
// core/options.ts.

import type { Criticality } from '../core/criticality.ts'
import { criticalities } from '../core/criticality.ts'
import { callback, choice, custom, type Given, integer, type Resolved } from '../core/options.ts'
import type { ServedExchange } from './exchange.ts'
import { parseTrustedPeers, type TrustedPeersOption } from './trusted-peers.ts'

type CriticalityOption = Criticality | ((exchange: ServedExchange) => Criticality | undefined)

const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.length <= 100 && value.every((item) => typeof item === 'string' && item !== '')
const isPaths = (value: unknown): value is readonly string[] =>
  isTexts(value) && value.every((path) => path.startsWith('/'))
const isTrusted = (value: unknown): value is TrustedPeersOption => parseTrustedPeers(value) !== undefined
const isCriticalityOption = (value: unknown): value is CriticalityOption =>
  typeof value === 'function' || (criticalities as readonly unknown[]).includes(value)

export const gateOptions = {
  /** Paths that pass beside the door, exact, GET and HEAD. Default `/healthz`, `/livez`, `/readyz`, `/health`. */
  healthPaths: custom<readonly string[], readonly string[]>('an array of paths that start with "/"', isPaths, {
    unit: 'paths',
    default: ['/healthz', '/livez', '/readyz', '/health'],
    about: 'Paths that pass beside the door: exact, GET and HEAD only.',
  }),
  /** Health checks that may run at once. Default 16. */
  healthMax: integer(1, 10_000, {
    unit: 'requests',
    default: 16,
    about: 'Health checks that may run at once, so that the way beside the door is no way around it.',
    tooLow: 'Probes are refused while one hangs.',
    tooHigh: 'Strangers can load the process through its health paths.',
  }),
  /** Streams (see `streamTypes`) and upgraded sockets that may be open at once. Default 10 000. Above it each keeps its permit. */
  streamsMax: integer(0, 10_000_000, {
    unit: 'streams',
    default: 10_000,
    about: 'Open streams and upgraded sockets that hold no permit. Above it each keeps its permit.',
    tooLow: 'Streams use up the concurrency limit.',
    tooHigh: 'Memory and sockets.',
  }),
  /** Content types whose response gives its permit back at the head. Default `text/event-stream`, `multipart/x-mixed-replace`. */
  streamTypes: custom<readonly string[], readonly string[]>('an array of content types', isTexts, {
    unit: 'types',
    default: ['text/event-stream', 'multipart/x-mixed-replace'],
    about: 'Content types that are streams: their permit comes back when the response head is sent.',
  }),
  /** When the permit of a finished response comes back: with the handler's promise (`'work'`, default) or without it. */
  release: choice<'work' | 'response', 'work'>(['work', 'response'], {
    default: 'work',
    about: 'Whether a permit waits for the promise of the handler as well as for the end of the response.',
  }),
  /** Peers whose `x-criticality` and `x-request-start` count: addresses and CIDR blocks, or a function. Default none. */
  trustedPeers: custom<TrustedPeersOption, undefined>(
    'an array of IP addresses and CIDR blocks, or a function of the address',
    isTrusted,
    { default: undefined, about: 'Peers whose x-criticality and x-request-start count. Default none.' },
  ),
  /** Criticality of a request: one class for all, or a function of the exchange; undefined leaves it to the header. */
  criticality: custom<CriticalityOption, undefined>(
    `one of ${criticalities.map((name) => `"${name}"`).join(', ')}, or a function`,
    isCriticalityOption,
    { default: undefined, about: 'Criticality of a request: one class for all, or a function of the exchange.' },
  ),
  /** Whose request it is, for quotas. Required with a quota. */
  keyOf: callback<(exchange: ServedExchange) => string | undefined>({
    default: undefined,
    about: 'Whose request it is, for quotas. Required with a quota.',
  }),
  /** Class of a request, whose service times belong together, such as a route template. Never a raw path. */
  classOf: callback<(exchange: ServedExchange) => string | undefined>({
    default: undefined,
    about: 'Class of a request, whose service times belong together, such as a route template. Never a raw path.',
  }),
  /** Units of the limit a request takes. Default 1. */
  costOf: callback<(exchange: ServedExchange) => number | undefined>({
    default: undefined,
    about: 'Units of the limit a request takes. Default 1.',
  }),
}

/** Options of an adapter beside those of its door. */
export type GateOptions = Given<typeof gateOptions>
export type GateSettings = Resolved<typeof gateOptions>
