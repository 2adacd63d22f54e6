// Refuses what cannot be simulated, before it runs, with the field, what came and what would be right, all at once: no
// capacity, negative rates, circles of calls, faults of services that do not exist.

import { SpillwayError } from '../core/errors.ts'
import { Problems } from '../core/problems.ts'
import { checkArrivals } from '../workload/arrivals.ts'
import { checkMix } from '../workload/mix.ts'
import { checkFaults } from './check-fault.ts'
import { add, bounds, type Field, oneOf } from './check-field.ts'
import { checkClient, checkService } from './check-service.ts'
import type { Scenario, Traffic } from './scenario.ts'
import { calleesOf } from './topology.ts'

const checked = new WeakSet<Scenario>()

/** Throws SPILLWAY_OPTIONS_INVALID, naming every problem at once. */
export function checkScenario(scenario: Scenario): void {
  if (checked.has(scenario)) return
  const problems = new Problems()
  const field: Field = { problems, name: '' }
  checkPlan(scenario, field)
  const names = Object.keys(scenario.services ?? {})
  if (names.length === 0) problems.say('services must name at least one service')
  for (const name of names) {
    const plan = scenario.services[name]
    if (plan !== undefined) checkService(plan, { problems, name: `services.${name}` }, names)
  }
  checkCircles(scenario, problems)
  if (!scenario.traffic?.length) problems.say('traffic must have at least one entry, or nobody calls')
  scenario.traffic?.forEach((traffic, index) => {
    checkTraffic(traffic, { problems, name: `traffic[${index}]` }, names)
  })
  checkFaults(scenario.faults ?? [], names, problems)
  if (problems.any)
    throw new SpillwayError('SPILLWAY_OPTIONS_INVALID', `scenario ${scenario.id ?? ''} refused: ${problems}`)
  checked.add(scenario)
}

function checkPlan(scenario: Scenario, field: Field): void {
  const { problems } = field
  if (typeof scenario.id !== 'string' || scenario.id === '') problems.add('id', 'a name', scenario.id)
  bounds(field, scenario, 'capacityPerS', { above: 0 })
  bounds(field, scenario, 'deadlineMs', { above: 0 })
  bounds(field, scenario, 'intervalMs', { above: 0, optional: true })
  bounds(field, scenario, 'horizonMs', { above: 0, optional: true })
  if (!scenario.phases?.length) problems.say('phases must have at least one entry, or the run has no length')
  const seen = new Set<string>()
  scenario.phases?.forEach((phase, index) => {
    const at: Field = { problems, name: `phases[${index}]` }
    bounds(at, phase, 'lengthMs', { above: 0 })
    bounds(at, phase, 'multiple', { min: 0, optional: true })
    bounds(at, phase, 'capacityPerS', { min: 0, optional: true })
    if (seen.has(phase.name)) add(at, 'name', 'a name no other phase has', phase.name)
    seen.add(phase.name)
  })
}

function checkTraffic(traffic: Traffic, field: Field, services: readonly string[]): void {
  const { problems, name } = field
  if (traffic.to !== undefined && !services.includes(traffic.to)) add(field, 'to', oneOf(services), traffic.to)
  if ((traffic.arrivals === undefined) === (traffic.workers === undefined))
    problems.say(`${name} must have either arrivals or workers`)
  if (traffic.arrivals !== undefined) checkArrivals(traffic.arrivals, `${name}.arrivals`, problems)
  if (traffic.workers !== undefined) {
    const at: Field = { problems, name: `${name}.workers` }
    bounds(at, traffic.workers, 'count', { min: 1, whole: true })
    bounds(at, traffic.workers, 'jobs', { min: 0, whole: true, optional: true })
    bounds(at, traffic.workers, 'fromMs', { min: 0, optional: true })
  }
  if (traffic.mix !== undefined) {
    checkMix(traffic.mix, `${name}.mix`, problems)
    for (const [index, kind] of (traffic.mix.kinds ?? []).entries())
      for (const service of Object.keys(kind.workMs ?? {}))
        if (!services.includes(service)) add(field, `mix.kinds[${index}].workMs`, `work at ${oneOf(services)}`, service)
  }
  if (traffic.client !== undefined) checkClient(traffic.client, { problems, name: `${name}.client` })
}

// Services that wait for each other in a circle would never answer.
function checkCircles({ services }: Scenario, problems: Problems): void {
  const done = new Set<string>()
  const visit = (name: string, path: readonly string[]): void => {
    const plan = services[name]
    if (done.has(name) || plan === undefined) return
    if (path.includes(name)) {
      problems.say(
        `services must not call each other in a circle: ${[...path.slice(path.indexOf(name)), name].join(' → ')}`,
      )
      return
    }
    for (const callee of calleesOf(plan)) visit(callee, [...path, name])
    done.add(name)
  }
  for (const name of Object.keys(services ?? {})) visit(name, [])
}
