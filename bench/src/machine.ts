// What the numbers were measured on.

import { availableParallelism, cpus, loadavg } from 'node:os'

export function machineLine(): string {
  const model = cpus()[0]?.model.trim() ?? 'unknown processor'
  const load = loadavg()[0]?.toFixed(1)
  return `${model}, ${availableParallelism()} cores, ${process.platform} ${process.arch}, Node ${process.version}, load ${load}`
}
