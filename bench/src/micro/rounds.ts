// Measures contenders side by side: once each in every round, in an order that is rotated from round to round, so that a
// machine that slows down, warms up or is shared treats all alike. Each measurement has a fresh process, so that none
// meets the type feedback of another, and the spread of a row shows what the compiler made of the same code each time.

import { InvalidRun, type Settings } from '../bench.ts'
import { Child } from '../child.ts'
import { emptyReadings, type Readings } from '../statistics.ts'
import type { MeasureAnswer, MeasureOrder } from './contender-process.ts'
import type { ContenderName } from './contenders/index.ts'
import type { Measured } from './measure.ts'

const script = new URL('./contender-process.ts', import.meta.url)

export async function measureInRounds(
  names: readonly ContenderName[],
  { repeats, quick }: Settings,
  progress: (text: string) => void,
): Promise<(name: ContenderName) => Readings> {
  const readings = emptyReadings(names)
  let child: Child | undefined
  try {
    for (let round = 0; round < repeats; round++) {
      const first = Math.floor((round * names.length) / repeats)
      const order = [...names.slice(first), ...names.slice(0, first)]
      for (const [index, name] of order.entries()) {
        progress(`round ${round + 1} of ${repeats}, ${index + 1} of ${order.length}: ${name}`)
        child ??= await startChild()
        const { ns, bytes } = await measureOnce(child, { name, quick })
        readings.get(name)?.ns.push(ns)
        readings.get(name)?.bytes.push(bytes)
        if (quick) continue
        child.kill()
        child = undefined
      }
    }
  } finally {
    child?.kill()
  }
  return (name) => readings.get(name) as Readings
}

async function startChild(): Promise<Child> {
  const child = new Child(script, 'the measuring process', [], ['--expose-gc'])
  await child.next()
  return child
}

async function measureOnce(child: Child, order: MeasureOrder): Promise<Measured> {
  const answer = await child.ask<MeasureAnswer>(order)
  if ('measured' in answer) return answer.measured
  throw new InvalidRun(`"${order.name}" did not do what its name says: ${answer.problem}`)
}
