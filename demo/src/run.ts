// One run of the demo, from measured capacity to the last caller: starts the processes, passes orders and readings
// between them, and returns the raw record. It prints nothing; whoever wants to see it happen passes a watcher.

import {
  type DatabaseAddress,
  type GeneratorReport,
  type Message,
  type ServiceName,
  type ServiceOrder,
  serviceNames,
} from './messages.ts'
import { clientTimeoutMs, type Plan } from './plan.ts'
import type { Child, Processes } from './processes.ts'
import { emptyTwin, type Reading, type RunRecord, type Twin } from './record.ts'
import { type ResourceName, resourceKinds } from './resources/resource.ts'

export type RunSettings = {
  readonly resource: ResourceName
  readonly seed: number
  readonly plan: Plan
}

/** What a watcher can see of a run in progress. */
export type Progress = {
  readonly record: RunRecord
  /** The twins under load at the moment. */
  readonly loaded: readonly ServiceName[]
  readonly elapsedMs: number
  /** Arrivals that have come due. */
  readonly due: number
}

export type Watcher = {
  stage(sentence: string): void
  progress(progress: Progress): void
}

// As long as the issue of the demo asks for: with 50 ms jobs it averages about 300 of them.
const capacityMs = 3000

export async function runDemo(settings: RunSettings, processes: Processes, watcher: Watcher): Promise<RunRecord> {
  const kind = resourceKinds[settings.resource]
  let database: DatabaseAddress | undefined
  if (kind.needsDatabase) {
    watcher.stage('Starting PostgreSQL.')
    database = await startDatabase(processes)
  }

  const callers = kind.slots === 1 ? '1 caller' : `${kind.slots} callers`
  watcher.stage(`Measuring the capacity of ${kind.summary}: ${callers} back to back for ${capacityMs / 1000} s.`)
  const capacity = await processes.start('capacity', 'the measurement of capacity')
  capacity.order({ resource: settings.resource, database, durationMs: capacityMs })
  const { perS } = await capacity.next('capacity')
  await processes.stop(capacity)

  const twins = {
    unprotected: emptyTwin('unprotected', settings.plan, settings.seed),
    protected: emptyTwin('protected', settings.plan, settings.seed),
  }
  const generators: GeneratorReport[] = []
  const record: RunRecord = { ...settings, timeoutMs: clientTimeoutMs, capacityPerS: perS, twins, generators }
  const turns = kind.together ? [serviceNames] : serviceNames.map((service) => [service])
  for (const services of turns) {
    const children = await Promise.all(
      services.map((service) => startService(processes, { service, resource: settings.resource, database })),
    )
    watcher.stage(`Warming up the ${services.join(' and the ')} service.`)
    generators.push(await offerLoad(record, twins, children, processes, watcher))
    await Promise.all(children.map(({ child }) => processes.stop(child)))
  }
  return record
}

type RunningService = { readonly service: ServiceName; readonly child: Child; readonly port: number }

async function startDatabase(processes: Processes): Promise<DatabaseAddress> {
  const child = await processes.start('database', 'the database')
  child.order({})
  return (await child.next('address')).address
}

async function startService(processes: Processes, order: ServiceOrder): Promise<RunningService> {
  const child = await processes.start('service', `the ${order.service} service`)
  child.order(order)
  const { port } = await child.next('listening')
  return { service: order.service, child, port }
}

async function offerLoad(
  record: RunRecord,
  twins: Record<ServiceName, Twin & { readings: Reading[] }>,
  services: readonly RunningService[],
  processes: Processes,
  watcher: Watcher,
): Promise<GeneratorReport> {
  const generator = await processes.start('generator', 'the generator')
  const { plan, seed, timeoutMs } = record
  let beganMs = Number.POSITIVE_INFINITY

  for (const { service, child } of services) {
    child.on((message) => {
      if (message.type !== 'reading') return
      // Before the load begins there is no elapsed time; such readings show the service idle.
      const atMs = Number.isFinite(beganMs) ? performance.now() - beganMs : -1
      twins[service].readings.push({ ...message, atMs })
    })
  }
  generator.on((message: Message) => {
    if (message.type === 'began') beganMs = performance.now()
    if (message.type !== 'progress') return
    for (const settled of message.settled) twins[settled.service].ledger.enter(settled)
    const loaded = services.map(({ service }) => service)
    watcher.progress({ record, loaded, elapsedMs: message.elapsedMs, due: message.due })
  })
  generator.order({ plan, seed, timeoutMs, targets: services.map(({ service, port }) => ({ service, port })) })

  const report = await generator.next('done')
  // One more reading each, so that work finished for the last callers is counted too.
  await Promise.all(services.map(({ child }) => child.next('reading')))
  await processes.stop(generator)
  return report
}
