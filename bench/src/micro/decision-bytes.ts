// Bytes a decision allocates over its whole life: admitted at once, admitted after waiting, refused.

import type { Bench, Outcome, Settings } from '../bench.ts'
import { rowOf } from '../statistics.ts'
import type { ContenderName } from './contenders/index.ts'
import { measureInRounds } from './rounds.ts'

// Row → the contender whose operation is one such decision.
const lives = {
  'admitted at once': 'offer + settle',
  'admitted at once, labelled': 'offer + settle, labelled',
  'admitted after waiting': 'offer + settle, 100 waiting',
  'refused at the door': 'refused: capacity',
  'refused by a full queue': 'refused: capacity, queue full',
  'admitted at once, run': 'run',
  'admitted after waiting, run': 'run, 100 waiting',
} as const satisfies Record<string, ContenderName>

type Life = keyof typeof lives

export const decisionBytes: Bench = {
  name: 'decision-bytes',
  about: 'bytes allocated a decision, from offer to settle: free, queued, refused',
  run,
}

async function run(settings: Settings, progress: (text: string) => void): Promise<Outcome> {
  const of = await measureInRounds(Object.values(lives), settings, progress)
  const rows = (Object.keys(lives) as Life[]).map((life) => rowOf(life, of(lives[life])))
  const bytesOf = (life: Life): number => rows.find((row) => row.name === life)?.bytesPerOp as number
  const per = (life: Life): number => Math.round((bytesOf(life) / bytesOf('admitted at once')) * 1000) / 1000
  return {
    name: 'decision-bytes',
    rows,
    ratios: {
      'bytes: afterWaiting/atOnce': per('admitted after waiting'),
      'bytes: refused/atOnce': per('refused at the door'),
      'bytes: run/atOnce': per('admitted at once, run'),
    },
    bars: [],
    notes: [
      'An admission is its permit; waiting adds a ticket, run its promises. Bytes count what was collected meanwhile.',
    ],
  }
}
