// The generator in a process of its own, so that the services cannot slow the clock that times them.

import { setTimeout as delay } from 'node:timers/promises'
import { drawArrivals } from './arrivals.ts'
import { Callers } from './caller.ts'
import { serveParent, tell } from './child.ts'
import { Generator, type Target } from './generator.ts'
import type { GeneratorOrder } from './messages.ts'
import { preferGenerator } from './priority.ts'

const progressEveryMs = 200
// Warm-up: some callers at once and then a quiet moment, so that connecting, compiling and the first garbage are not part
// of what is measured: a service that has been up for a day has all of that behind it. Nothing of it is counted. There are
// more callers than a protected service lets wait, so that refusing is warm as well; the refused pause before they ask again.
const warmUpCallers = 40
const warmUpMs = 500
const warmUpPauseMs = 20
// Nobody waits any more when this begins: every warm-up caller has had its answer.
const quietMs = 500

serveParent(async (order: GeneratorOrder) => {
  preferGenerator('generator')
  const callers = order.targets.map(({ service, port }) => ({ service, callers: new Callers(port, order.timeoutMs) }))
  const targets: Target[] = callers.map((each) => ({
    service: each.service,
    send: (critical, answered) => each.callers.send(critical, answered),
  }))
  await offer(order, targets)
  for (const each of callers) each.callers.close()
})

async function offer(order: GeneratorOrder, targets: readonly Target[]): Promise<void> {
  await Promise.all(targets.map(warmUp))
  await delay(quietMs)
  tell({ type: 'warm' })

  const generator = new Generator(drawArrivals(order.plan, order.seed), targets, order.timeoutMs)
  const progress = () =>
    tell({
      type: 'progress',
      elapsedMs: generator.elapsedMs,
      due: generator.due,
      settled: generator.takeSettled(),
    })
  const cpuBefore = process.cpuUsage()
  const loopBefore = performance.eventLoopUtilization()
  tell({ type: 'began' })
  const run = generator.run()
  const timer = setInterval(progress, progressEveryMs)
  await run
  clearInterval(timer)
  const cpu = process.cpuUsage(cpuBefore)
  progress()
  tell({
    type: 'done',
    latenessMs: generator.latenessMs.slice(),
    cpuShare: (cpu.user + cpu.system) / 1000 / generator.elapsedMs,
    loopUtilisation: performance.eventLoopUtilization(loopBefore).utilization,
  })
}

async function warmUp(target: Target): Promise<void> {
  const untilMs = performance.now() + warmUpMs
  let successes = 0
  let lastRefusal = ''
  const caller = async () => {
    while (performance.now() < untilMs) {
      const [status, reason] = await ask(target)
      if (status === 200) {
        successes++
      } else {
        lastRefusal = `status ${status}, reason ${reason ?? 'none'}`
        await delay(warmUpPauseMs)
      }
    }
  }
  await Promise.all(Array.from({ length: warmUpCallers }, caller))
  if (successes > 0) return
  throw new Error(`the ${target.service} service served nobody while it was warmed up; its last answer: ${lastRefusal}`)
}

function ask(target: Target): Promise<[status: number, reason: string | undefined]> {
  return new Promise((resolve) => target.send(false, (status, reason) => resolve([status, reason])))
}
