// The flags of the demo's two commands.

import type { FlagTable } from './flags.ts'
import { serviceNames } from './messages.ts'
import { resourceNames } from './resources/resource.ts'

const resource = {
  kind: 'choice',
  of: resourceNames,
  default: 'pool',
  help: 'what is scarce: 5 slots of 50 ms, one core, or a real database; default pool',
} as const

const help = { kind: 'switch', help: 'prints this and ends' } as const

export const mainFlags = {
  resource,
  seed: {
    kind: 'integer',
    min: 0,
    max: 4294967295,
    default: 1,
    help: 'draws the arrivals; the same seed gives the same arrivals; default 1',
  },
  quick: { kind: 'switch', help: 'a shorter run of about 15 s that keeps the phases at 2 and 10 times the capacity' },
  json: { kind: 'switch', help: 'prints one JSON object on stdout and nothing else there' },
  html: { kind: 'file', placeholder: 'file', help: 'where the report goes; default reports/demo-<resource>.html' },
  help,
} as const satisfies FlagTable

export const serveFlags = {
  service: {
    kind: 'choice',
    of: serviceNames,
    default: 'protected',
    help: 'with Spillway in front of it or without; default protected',
  },
  resource,
  port: {
    kind: 'integer',
    min: 0,
    max: 65535,
    default: 0,
    help: 'the port on 127.0.0.1 to listen on; default 0, which takes a free one',
  },
  help,
} as const satisfies FlagTable
