// `spillway sim tick`: the tick model's table, its exercises, and the checklist that is the last of them.

import { queueChecklist, refusalSweep, tickExercises, tickTable, tickText } from 'spillway/sim'
import { exitCodes } from '../exit-codes.ts'
import type { Io } from '../io.ts'

export function printTick(json: boolean, io: Io): number {
  const policies = tickTable()
  const exercises = tickExercises()
  const refusals = refusalSweep()
  if (json) {
    io.out(`${JSON.stringify({ policies, exercises, refusals }, null, 2)}\n`)
    return exitCodes.holds
  }
  const sweep = refusals.map(
    ({ offered, refused, goodput, predicted }) =>
      `  ${offered} offered: ${refused.toFixed(1)} refused, goodput ${goodput.toFixed(1)}, by arithmetic ${predicted.toFixed(1)}`,
  )
  const places = queueChecklist.flatMap(({ queue, bound, look, late }) => [
    `  ${queue}`,
    `    bound unless chosen: ${bound}`,
    `    look at: ${look}`,
    `    what waits too long there ${late}`,
  ])
  io.out(
    [
      'One server, 100 requests a tick, clients that wait 5 ticks and retry once; 80 a tick, 160 in ticks 50 to 99.',
      'Goodput per tick:',
      '',
      tickText(policies, exercises),
      '',
      'When refusals cost a fifth of a request each, per tick:',
      ...sweep,
      '',
      'Which queues of your own service have no bound? In Node.js, look here:',
      ...places,
      '',
    ].join('\n'),
  )
  return exitCodes.holds
}
