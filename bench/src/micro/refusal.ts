// What it costs to refuse, by reason. Under overload refusing is most of what the door does, so a refusal allocates
// its own small decision and next to nothing else.

import type { Bench, Outcome, Settings } from '../bench.ts'
import { ratioOf, rowOf } from '../statistics.ts'
import type { ContenderName } from './contenders/index.ts'
import { measureInRounds } from './rounds.ts'

const refusals = [
  'refused: capacity',
  'refused: capacity, queue full',
  'refused: deadline',
  'refused: closing',
  'refused: quota',
] as const satisfies readonly ContenderName[]
const names = [...refusals, 'run, refused', 'object of eight fields', 'two performance.now()'] as const

// Promised of every refusal.
const BYTES_MAX = 128

export const refusal: Bench = {
  name: 'refusal',
  about: 'ns and bytes a refusal, by reason, over 20 000 refusals that are kept',
  run,
}

async function run(settings: Settings, progress: (text: string) => void): Promise<Outcome> {
  const of = await measureInRounds(names, settings, progress)
  const rows = names.map((name) => rowOf(name, of(name)))
  const bytesOf = (name: string): number => rows.find((row) => row.name === name)?.bytesPerOp as number
  return {
    name: 'refusal',
    rows,
    ratios: {
      'refused/twoClockReadings': ratioOf(of('refused: capacity'), of('two performance.now()')),
      'runRefused/refused': ratioOf(of('run, refused'), of('refused: capacity')),
      'refusedBytes/limit128': Math.round((bytesOf('refused: capacity') / BYTES_MAX) * 1000) / 1000,
    },
    bars: refusals.map((name) => ({ about: `bytes, ${name}`, value: bytesOf(name), max: BYTES_MAX })),
    notes: ['"run, refused" is the promise edge, where the refusal becomes an error with a stack.'],
  }
}
