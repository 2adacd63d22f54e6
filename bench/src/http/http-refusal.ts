// What a refusal costs a node:http server: a saturated door against a bare 503 with the same headers and body.

import type { Bench, Outcome, Settings } from '../bench.ts'
import { emptyReadings, type Readings, ratioOf, rowOf } from '../statistics.ts'
import { drivePair, fullLoad, quickLoad, startClient } from './pair.ts'

const CPU_RATIO_MAX = 1.1

const rows = {
  bareCpu: 'bare 503, CPU',
  gatedCpu: 'refusal, CPU',
  bareWall: 'bare 503, wall clock',
  gatedWall: 'refusal, wall clock',
} as const

export const httpRefusal: Bench = {
  name: 'http-refusal',
  about: 'server CPU per refusal, and refusals per second, against a bare 503',
  run,
}

async function run({ repeats, quick }: Settings, progress: (text: string) => void): Promise<Outcome> {
  const names = Object.values(rows)
  const readings = emptyReadings(names)
  const of = (row: keyof typeof rows) => readings.get(rows[row]) as Readings
  const add = (row: keyof typeof rows, ns: number, bytes: number): void => {
    of(row).ns.push(ns)
    of(row).bytes.push(bytes)
  }
  const client = await startClient()
  try {
    for (let repeat = 0; repeat < repeats; repeat++) {
      progress(`round ${repeat + 1} of ${repeats}`)
      const { bare, gated } = await drivePair(client, 'refusal', 'node-http', quick ? quickLoad : fullLoad, repeat)
      add('bareCpu', bare.cpuNs, bare.bytes)
      add('gatedCpu', gated.cpuNs, gated.bytes)
      add('bareWall', bare.wallNs, bare.bytes)
      add('gatedWall', gated.wallNs, gated.bytes)
    }
  } finally {
    client.kill()
  }
  const cpuRatio = ratioOf(of('gatedCpu'), of('bareCpu'))
  return {
    name: 'http-refusal',
    rows: names.map((name) => rowOf(name, readings.get(name) as Readings)),
    ratios: {
      'CPU: refusal/bare503': cpuRatio,
      // Of rates, so the bare one's time stands on top.
      'per second: refusals/bare503s': ratioOf(of('bareWall'), of('gatedWall')),
    },
    bars: [{ about: 'server CPU per refusal ÷ a bare 503', value: cpuRatio, max: CPU_RATIO_MAX }],
    notes: [
      'CPU ns are those of the server process, all threads. Wall clock ns are 1e9 ÷ refusals per second, with the client',
      'on the other core; "per second" is what was seen there, and what one full core could do in the CPU rows.',
    ],
  }
}
