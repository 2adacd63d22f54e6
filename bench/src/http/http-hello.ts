// What the door costs a server that does nothing else: CPU time per response, gated against bare, for every adapter.

import type { Bar, Bench, Outcome, Settings } from '../bench.ts'
import { emptyReadings, type Readings, ratioOf, rowOf } from '../statistics.ts'
import { type AdapterName, adapters, type Variant } from './messages.ts'
import { drivePair, fullLoad, quickLoad, startClient } from './pair.ts'

// Promised of node:http. The frameworks are measured and shown.
const NODE_HTTP_RATIO_MAX = 1.05

export const httpHello: Bench = {
  name: 'http-hello',
  about: 'server CPU per response of a hello, gated against bare, for each adapter',
  run,
}

async function run({ repeats, quick }: Settings, progress: (text: string) => void): Promise<Outcome> {
  const names = adapters.flatMap((adapter) => [nameOf(adapter, 'bare'), nameOf(adapter, 'gated')])
  const readings = emptyReadings(names)
  const of = (adapter: AdapterName, variant: Variant) => readings.get(nameOf(adapter, variant)) as Readings
  const client = await startClient()
  try {
    for (let repeat = 0; repeat < repeats; repeat++) {
      for (const adapter of adapters) {
        progress(`round ${repeat + 1} of ${repeats}: ${adapter}`)
        const driven = await drivePair(client, 'hello', adapter, quick ? quickLoad : fullLoad, repeat)
        for (const variant of ['bare', 'gated'] as const) {
          of(adapter, variant).ns.push(driven[variant].cpuNs)
          of(adapter, variant).bytes.push(driven[variant].bytes)
        }
      }
    }
  } finally {
    client.kill()
  }
  const ratios = Object.fromEntries(
    adapters.map((adapter) => [`${adapter}: gated/bare`, ratioOf(of(adapter, 'gated'), of(adapter, 'bare'))]),
  )
  const bar: Bar = {
    about: 'server CPU per response, node:http, gated ÷ bare',
    value: ratios['node-http: gated/bare'] as number,
    max: NODE_HTTP_RATIO_MAX,
  }
  return {
    name: 'http-hello',
    rows: names.map((name) => rowOf(name, readings.get(name) as Readings)),
    ratios,
    bars: [bar],
    notes: [
      'ns are CPU time of the server process per response, user and system, all threads; per second is of one full core.',
      'A ratio is the median of the ratios within a repeat, which is steadier than the ratio of the medians.',
    ],
  }
}

function nameOf(adapter: AdapterName, variant: Variant): string {
  return `${adapter}, ${variant}`
}
