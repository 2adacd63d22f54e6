// Checks of services and of their callers.

import { checkDistribution, type Distribution } from '../workload/distribution.ts'
import { add, bounds, type Field, oneOf, word } from './check-field.ts'
import type { BackOffPlan, ClientPlan, FleetPlan, PlantPlan, ServicePlan, Step } from './scenario.ts'
import { stepsOfPlan } from './topology.ts'

const plantKinds = ['pool', 'sharing', 'loop', 'endless']

export function checkService(plan: ServicePlan, field: Field, services: readonly string[]): void {
  const inside = (name: string): Field => ({ problems: field.problems, name: `${field.name}.${name}` })
  checkPlant(plan.plant, inside('plant'))
  if (plan.workMs !== undefined && plan.steps !== undefined)
    field.problems.say(`${field.name} must have either workMs or steps, got both`)
  if (plan.workMs !== undefined) distribution(plan.workMs, field, 'workMs')
  else if (stepsOfPlan(plan).length === 0)
    field.problems.say(`${field.name} must have workMs or steps, or it does nothing`)
  plan.steps?.forEach((step, index) => {
    checkStep(step, inside(`steps[${index}]`), services)
  })
  if (plan.networkMs !== undefined) distribution(plan.networkMs, field, 'networkMs')
  bounds(field, plan, 'limit', { min: 1, whole: true, optional: true })
  bounds(field, plan, 'responseBytes', { min: 0, optional: true })
  bounds(field, plan, 'socketBufferBytes', { min: 0, optional: true })
  bounds(field, plan, 'requestBytes', { min: 0, optional: true })
  if (plan.fleet !== undefined) checkFleet(plan.fleet, inside('fleet'))
}

export function checkClient(plan: ClientPlan, field: Field): void {
  bounds(field, plan, 'timeoutMs', { above: 0, optional: true, endless: true })
  bounds(field, plan, 'attempts', { min: 1, max: 1000, whole: true, optional: true })
  bounds(field, plan, 'overallMs', { above: 0, optional: true })
  if (plan.patienceMs !== undefined) distribution(plan.patienceMs, field, 'patienceMs')
  if (plan.backOff !== undefined)
    checkBackOff(plan.backOff, { problems: field.problems, name: `${field.name}.backOff` })
  if (plan.retryBudget !== undefined) {
    const at: Field = { problems: field.problems, name: `${field.name}.retryBudget` }
    bounds(at, plan.retryBudget, 'ratio', { min: 0 })
    bounds(at, plan.retryBudget, 'reserve', { min: 0, optional: true })
    bounds(at, plan.retryBudget, 'tokensMax', { min: 0, optional: true })
  }
  const retryable = ['timeout', 'failed', 'rejected']
  for (const what of plan.retryOn ?? []) if (!retryable.includes(what)) add(field, 'retryOn', oneOf(retryable), what)
}

function checkPlant(plan: PlantPlan, field: Field): void {
  if (plan === undefined || !plantKinds.includes(plan.kind)) {
    add(field, 'kind', oneOf(plantKinds), plan?.kind)
    return
  }
  if (plan.kind === 'pool') {
    bounds(field, plan, 'slots', { min: 1, whole: true })
    bounds(field, plan, 'queueMax', { min: 0, whole: true, optional: true })
    word(field, plan, 'holds', ['work', 'visit'])
  } else if (plan.kind === 'sharing') {
    bounds(field, plan, 'cores', { above: 0 })
    if (plan.contention !== undefined) {
      const at: Field = { problems: field.problems, name: `${field.name}.contention` }
      bounds(at, plan.contention, 'k', { min: 0 })
      bounds(at, plan.contention, 'beyond', { min: 0 })
    }
  } else if (plan.kind === 'loop') {
    word(field, plan, 'connections', ['kept', 'fresh'], false)
    bounds(field, plan, 'backlog', { min: 1, whole: true, optional: true })
    for (const name of ['acceptMs', 'readMs', 'refuseMs'] as const)
      bounds(field, plan, name, { min: 0, optional: true })
  }
}

function checkStep(step: Step, field: Field, services: readonly string[]): void {
  if (step.do === 'work' || step.do === 'wait') {
    distribution(step.ms, field, 'ms')
    return
  }
  if (step.do !== 'call') {
    add(field, 'do', 'one of work, wait, call', (step as { do?: unknown }).do)
    return
  }
  const targets = [step.to].flat()
  if (targets.length === 0) add(field, 'to', 'one or more services', step.to)
  for (const target of targets) if (!services.includes(target)) add(field, 'to', oneOf(services), target)
  bounds(field, step, 'share', { min: 0, max: 1, optional: true })
  if (step.client !== undefined) checkClient(step.client, { problems: field.problems, name: `${field.name}.client` })
  if (step.cache !== undefined) {
    const at: Field = { problems: field.problems, name: `${field.name}.cache` }
    bounds(at, step.cache, 'ttlMs', { above: 0, optional: true })
    bounds(at, step.cache, 'entriesMax', { min: 1, whole: true, optional: true })
    bounds(at, step.cache, 'warm', { min: 0, whole: true, optional: true })
  }
}

function checkFleet(plan: FleetPlan, field: Field): void {
  const inside = (name: string): Field => ({ problems: field.problems, name: `${field.name}.${name}` })
  bounds(field, plan, 'replicas', { min: 1, max: 1000, whole: true })
  bounds(field, plan, 'startUpMs', { min: 0, optional: true })
  word(field, plan, 'balancer', ['round-robin', 'least-connections', 'power-of-two'])
  if (plan.health !== undefined) {
    bounds(inside('health'), plan.health, 'everyMs', { above: 0 })
    bounds(inside('health'), plan.health, 'timeoutMs', { above: 0 })
    bounds(inside('health'), plan.health, 'missesMax', { min: 1, whole: true })
    bounds(inside('health'), plan.health, 'workMs', { min: 0, optional: true })
  }
  if (plan.ejection !== undefined) {
    bounds(inside('ejection'), plan.ejection, 'failuresMax', { min: 1, whole: true })
    bounds(inside('ejection'), plan.ejection, 'forMs', { above: 0 })
    bounds(inside('ejection'), plan.ejection, 'shareMax', { min: 0, max: 1, optional: true })
  }
  if (plan.coldStart !== undefined) {
    bounds(inside('coldStart'), plan.coldStart, 'factor', { above: 0 })
    bounds(inside('coldStart'), plan.coldStart, 'lengthMs', { above: 0 })
  }
  const scaler = plan.autoscaler
  if (scaler === undefined) return
  bounds(inside('autoscaler'), scaler, 'everyMs', { above: 0 })
  bounds(inside('autoscaler'), scaler, 'target', { above: 0, max: 1 })
  bounds(inside('autoscaler'), scaler, 'replicasMin', { min: 1, whole: true })
  bounds(inside('autoscaler'), scaler, 'replicasMax', { min: scaler.replicasMin, whole: true })
  bounds(inside('autoscaler'), scaler, 'downAfterMs', { min: 0, optional: true })
  word(inside('autoscaler'), scaler, 'signal', ['utilisation', 'demand'], false)
}

function checkBackOff(plan: BackOffPlan, field: Field): void {
  if (plan.kind === 'none') return
  if (plan.kind === 'fixed') {
    bounds(field, plan, 'ms', { min: 0 })
    bounds(field, plan, 'jitter', { min: 0, max: 1, optional: true })
  } else if (plan.kind === 'exponential') {
    bounds(field, plan, 'baseMs', { min: 0 })
    bounds(field, plan, 'factor', { min: 1, optional: true })
    bounds(field, plan, 'maxMs', { min: 0, optional: true })
    if (plan.jitter !== 'full') bounds(field, plan, 'jitter', { min: 0, max: 1, optional: true })
  } else {
    add(field, 'kind', 'one of none, fixed, exponential', (plan as { kind?: unknown }).kind)
  }
}

function distribution(value: Distribution, field: Field, name: string): void {
  checkDistribution(value, `${field.name}.${name}`, field.problems)
}
