// A catalogue whose runs are made by hand, so that the commands are tested without a simulator behind them: one scenario that
// holds, one that is INVALID, one that breaks, and one that never ends.
import { writeSync } from 'node:fs'
import type { Catalogue, CatalogueEntry, Criterion, JudgedRun, SimulatedRun } from 'spillway/sim'
import { judge, type RunRecord, thresholdsOf } from 'spillway/verdict'
import { plansOf, recordOf, steady } from '../../spillway/test/run-records.ts'

const thresholds = thresholdsOf()
const unknownHere = { traceHash: '', events: 0, requests: 0, endedAtMs: 0, services: {}, groups: {}, timeouts: {} }
const entries: readonly CatalogueEntry[] = [
  entry('T01', 'holds', 'Ten times the capacity', 'goodput at least 0.9 of the capacity'),
  entry('T02', 'invalid', 'A generator that is late'),
  entry('T03', 'throws', 'A run that fails'),
  entry('T04', 'endless', 'A run that never ends'),
]

function entry(id: string, name: string, title: string, asks?: string): CatalogueEntry {
  const hasTogether = asks !== undefined
  return { id, name, title, asks, policies: ['default', 'unprotected'], thresholds, hasTogether }
}

function recordFor(id: string, policy: string, seed: number): SimulatedRun {
  const rest = { scenario: id, policy, seed, ...(id === 'T02' ? { latenessP99Ms: 1000 } : {}) }
  const share = policy === 'unprotected' ? 0 : 1 - seed / 1000
  return { ...recordOf(plansOf(steady('stress', 10, 10, share)), rest), ...unknownHere }
}

function run(id: string, policy: string, seed: number): JudgedRun {
  if (id === 'T03') throw new Error('the run failed as it was told to')
  if (id === 'T04') {
    writeSync(2, 'running\n')
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
  }
  const record = recordFor(id, policy, seed)
  const verdict = judge(record)
  const share = record.capacityPerS === 0 ? 0 : Math.min(...stressGoodput(record)) / record.capacityPerS
  const plateau = { name: 'plateau', wanted: 'at least 0.9', got: share.toFixed(2), holds: share >= 0.9 }
  return { record, verdict, criteria: id === 'T01' ? [plateau] : undefined }
}

function stressGoodput({ intervals, phases }: RunRecord): number[] {
  const stress = phases.find(({ name }) => name === 'stress')
  return intervals
    .filter(({ fromMs }) => stress !== undefined && fromMs >= stress.fromMs && fromMs < stress.toMs)
    .map(({ good }) => good)
}

/** Unmet by a seed above 60, so that a test can have it either way. */
function together(id: string, runs: readonly SimulatedRun[]): readonly Criterion[] {
  if (id !== 'T01') return []
  const highest = Math.max(...runs.map(({ seed }) => seed))
  return [{ name: 'seeds', wanted: 'up to 60', got: `${highest}`, holds: highest <= 60 }]
}

const catalogue: Catalogue = {
  entries,
  policies: ['default', 'unprotected', 'fifo'],
  controls: ['unprotected'],
  run,
  together,
}
export default catalogue
