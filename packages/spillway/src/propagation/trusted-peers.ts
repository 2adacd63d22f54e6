// Which peers may say how critical their requests are. By the address of the socket, never by a header: a header can be
// written by anyone (case C76).

import { BlockList, isIP } from 'node:net'

/** Addresses and CIDR blocks (`'10.0.0.0/8'`, `'::1'`), or a function of the address. */
export type TrustedPeersOption = readonly string[] | ((address: string) => boolean)

export interface TrustedPeers {
  includes(address: string | undefined): boolean
}

const nobody: TrustedPeers = { includes: () => false }

/** Reads the option; undefined when it is neither a function nor a list of addresses and blocks. */
export function parseTrustedPeers(option: unknown): TrustedPeers | undefined {
  if (option === undefined) return nobody
  if (typeof option === 'function') {
    return { includes: (address) => address !== undefined && option(address) === true }
  }
  if (!Array.isArray(option)) return undefined
  const list = new BlockList()
  for (const entry of option) {
    if (typeof entry !== 'string' || !addBlock(list, entry)) return undefined
  }
  // The same few addresses come again and again, and a look-up in the list costs a microsecond.
  const known = new Map<string, boolean>()
  return { includes: (address) => address !== undefined && lookUp(list, known, address) }
}

const KNOWN_MAX = 1000

function lookUp(list: BlockList, known: Map<string, boolean>, address: string): boolean {
  const cached = known.get(address)
  if (cached !== undefined) return cached
  // An IPv4 peer of a dual-stack socket shows as ::ffff:a.b.c.d.
  const plain = address.startsWith('::ffff:') && isIP(address.slice(7)) === 4 ? address.slice(7) : address
  const version = isIP(plain)
  const trusted = version !== 0 && list.check(plain, version === 4 ? 'ipv4' : 'ipv6')
  if (known.size >= KNOWN_MAX) known.clear()
  known.set(address, trusted)
  return trusted
}

function addBlock(list: BlockList, entry: string): boolean {
  const [address, prefix, ...rest] = entry.split('/')
  const version = isIP(address ?? '')
  if (address === undefined || version === 0 || rest.length > 0) return false
  const family = version === 4 ? 'ipv4' : 'ipv6'
  if (prefix === undefined) list.addAddress(address, family)
  else if (/^\d{1,3}$/.test(prefix) && Number(prefix) <= (version === 4 ? 32 : 128)) {
    list.addSubnet(address, Number(prefix), family)
  } else return false
  return true
}
