// What callers send in their headers, odd values first: never NaN, never a throw, never a way around the door.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { VirtualRuntime } from '../runtime/virtual.ts'
import { HeaderReader, headersIn } from './headers.ts'
import { parseTrustedPeers, type TrustedPeers } from './trusted-peers.ts'

const everyone: TrustedPeers = { includes: () => true }
const nobody: TrustedPeers = { includes: () => false }

function read(headers: readonly string[], peers = everyone, runtime = new VirtualRuntime()) {
  const reader = new HeaderReader()
  reader.read({ rawHeaders: headers, peerAddress: '127.0.0.1' } as never, peers, runtime)
  const { remainingMs, attempt, criticality, counts } = reader
  return { remainingMs, attempt, criticality, counts }
}

describe('the deadline headers', () => {
  it.each([
    ['0', 0],
    ['250', 250],
    ['250.5', 250.5],
    [' 7 ', 7],
    ['999999999999', 86_400_000],
  ])('take %s', (value, remainingMs) => {
    expect(read(['X-Request-Timeout-Ms', value])).toMatchObject({ remainingMs, counts: { malformed: 0 } })
  })

  it.each(['', '-5', 'NaN', 'Infinity', '1e9', '0x5', '5,10', '5 ms', '١', '5;6'])(
    'C62: ignore %j and count it',
    (value) => {
      for (const name of ['x-request-timeout-ms', 'x-envoy-expected-rq-timeout-ms']) {
        expect(read([name, value])).toMatchObject({ remainingMs: undefined, counts: { malformed: 1 } })
      }
    },
  )

  it.each([
    ['1S', 1000],
    ['2M', 120_000],
    ['50m', 50],
    ['12345678u', 12_345.678],
    ['0S', 0],
    ['1H', 3_600_000],
  ])('take a grpc-timeout of %s', (value, remainingMs) => {
    expect(read(['grpc-timeout', value]).remainingMs).toBeCloseTo(remainingMs, 6)
  })

  it.each(['123456789m', '5', 'S', '5s', '-1S', '1.5S', ''])('ignore a grpc-timeout of %j', (value) => {
    expect(read(['grpc-timeout', value])).toMatchObject({ remainingMs: undefined, counts: { malformed: 1 } })
  })

  it('are used in the order of preference, and one that does not fit leaves it to the next', () => {
    const all = ['x-envoy-expected-rq-timeout-ms', '3', 'grpc-timeout', '2m', 'x-request-timeout-ms', '1']
    expect(read(all).remainingMs).toBe(1)
    expect(read(all.with(5, 'soon')).remainingMs).toBe(2)
    expect(read(all.with(5, 'soon').with(3, 'soon')).remainingMs).toBe(3)
  })

  it('that come twice fit no grammar', () => {
    const twice = ['x-request-timeout-ms', '5', 'X-Request-Timeout-Ms', '5']
    expect(read(twice)).toMatchObject({ remainingMs: undefined, counts: { malformed: 1 } })
  })
})

describe('clocks', () => {
  const day = 86_400_000

  it.each([-365 * day, -5000, 5000, 365 * day])(
    'C61: a sender %d ms off costs nothing when it says when it started',
    (skewMs) => {
      const runtime = new VirtualRuntime()
      const start = runtime.wallNow() + skewMs
      const said = read(
        ['x-request-start', `t=${start}`, 'x-request-deadline', String(start + 10_000)],
        everyone,
        runtime,
      )
      const expected = Math.abs(skewMs) > day ? undefined : 10_000
      // A year off is no clock at all: then the default applies.
      expect(said.remainingMs).toBe(expected)
    },
  )

  it('C61: a deadline that has passed, or is days away, is a wrong clock and no reason to refuse', () => {
    const runtime = new VirtualRuntime()
    for (const offset of [-1, -365 * day, 2 * day]) {
      const said = read(['x-request-deadline', String(runtime.wallNow() + offset)], everyone, runtime)
      expect(said).toMatchObject({ remainingMs: undefined, counts: { skewed: 1 } })
    }
    expect(read(['x-request-deadline', String(runtime.wallNow() + 300)], everyone, runtime).remainingMs).toBe(300)
  })

  it('the time in a proxy is what is older than the youngest of the last minute, in s, ms or µs', () => {
    const runtime = new VirtualRuntime()
    const reader = new HeaderReader()
    const hidden = (value: string): number => {
      reader.read({ rawHeaders: ['x-request-start', value], peerAddress: '::1' } as never, everyone, runtime)
      return reader.hiddenMs
    }
    const wall = runtime.wallNow()
    expect(hidden(`t=${(wall - 3000) / 1000}`)).toBe(0)
    expect(hidden(`${wall - 3500}`)).toBeCloseTo(500, 6)
    expect(hidden(`${(wall - 3250) * 1000}`)).toBeCloseTo(250, 6)
  })
})

describe('the criticality header', () => {
  it.each([
    ['critical', 'critical'],
    ['CRITICAL_PLUS', 'critical-plus'],
    [' Sheddable ', 'sheddable'],
  ])('C51: takes %j from a trusted peer', (value, criticality) => {
    expect(read(['x-criticality', value]).criticality).toBe(criticality)
  })

  it.each(['', '-1', '1e3', 'abc', '99999999999', 'critical,critical'])('C51: ignores %j and counts it', (value) => {
    expect(read(['x-criticality', value])).toMatchObject({ criticality: undefined, counts: { malformed: 1 } })
  })

  it('C51: is ignored from anyone else, and counted', () => {
    const said = read(['x-criticality', 'critical-plus', 'x-request-timeout-ms', '5'], nobody)
    expect(said).toMatchObject({ criticality: undefined, remainingMs: 5, counts: { untrusted: 1, malformed: 0 } })
  })
})

describe('any headers', () => {
  it('are read without a throw and without a number that is none', () => {
    const name = fc.oneof(fc.constantFrom(...headersIn), fc.string())
    const value = fc.oneof(
      fc.string(),
      fc.integer().map(String),
      fc.double().map(String),
      fc.constantFrom('5S', 'critical'),
    )
    fc.assert(
      fc.property(fc.array(fc.tuple(name, value), { maxLength: 12 }), (pairs) => {
        const { remainingMs, attempt } = read(pairs.flat())
        for (const number of [remainingMs, attempt]) {
          if (number !== undefined) expect(Number.isFinite(number) && number >= 0).toBe(true)
        }
      }),
      { numRuns: 500 },
    )
  })
})

describe('trusted peers', () => {
  it('are told by address and block, in both spellings of an IPv4 address', () => {
    const peers = parseTrustedPeers(['10.0.0.0/8', '192.0.2.7', 'fd00::/8']) as TrustedPeers
    for (const address of ['10.1.2.3', '::ffff:10.1.2.3', '192.0.2.7', 'fd12::1'])
      expect(peers.includes(address)).toBe(true)
    for (const address of ['11.1.2.3', '192.0.2.8', 'fe80::1', '', undefined])
      expect(peers.includes(address)).toBe(false)
    for (const wrong of [['10.0.0.0/33'], ['host'], ['10.0.0.0/8/8'], [5], 'all']) {
      expect(parseTrustedPeers(wrong)).toBeUndefined()
    }
  })
})
