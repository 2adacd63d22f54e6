// Who may know whom inside the library (design section 3): imports point down, and siblings of one layer do not know each
// other. A new folder gets a line here before it gets a file.
import type { Source } from './source.ts'

const parts = ['limiters', 'disciplines', 'shedders', 'quotas', 'breakers', 'budgets', 'signals', 'workload'] as const

/** All that a user's code may reach without an adapter. */
const within = ['structures', 'core', ...parts, 'runtime', 'policies', 'propagation', 'surface']

/** For each folder of src, the folders and files it may import from; its own folder is implied, but see `strangers`. */
const mayImport: Record<string, readonly string[]> = {
  structures: [],
  core: ['structures'],
  ...Object.fromEntries(parts.map((part) => [part, ['structures', 'core']])),
  runtime: ['structures', 'core'],
  policies: ['core'],
  propagation: ['structures', 'core'],
  // Puts doors, gates and quotas together from plain options: the only layer that knows which parts are the default ones.
  surface: ['structures', 'core', ...parts, 'runtime/node.ts', 'policies', 'propagation'],
  adapters: ['core', 'propagation', 'surface', 'runtime/node.ts'],
  // Reads what a run left behind, simulated or live, and nothing else; its bars are options like any others.
  verdict: ['structures', 'core/options.ts'],
  // Runs the production code on virtual time, so it may know all of it.
  sim: [...within, 'verdict'],
  testing: within,
  // `protect` for node:http is the front door of the package; the frameworks have subpaths of their own.
  'index.ts': [...within, 'adapters/node-http.ts'],
}

/** Folders whose files do not know each other: a structure imports nothing, an adapter is one framework. */
const strangers = new Set(['structures', 'adapters'])

/** What is wrong with an import of one file of the library by another, or undefined. Paths start below src. */
export function arrowProblem(from: string, to: string): string | undefined {
  const layer = layerOf(from)
  const allowed = mayImport[layer] ?? []
  if (layer === layerOf(to)) return strangers.has(layer) ? `files in ${layer} do not know each other` : undefined
  if (allowed.some((target) => to === target || to.startsWith(`${target}/`))) return undefined
  return `${layer} may import ${allowed.length === 0 ? 'nothing' : `only ${allowed.join(', ')}`}, not ${to}`
}

export function isLayer(path: string): boolean {
  return mayImport[layerOf(path)] !== undefined
}

function layerOf(path: string): string {
  return path.split('/', 1)[0] as string
}

/** Every file that the given ones reach through imports, themselves included. */
export function reachableFrom(entries: Iterable<string>, sources: ReadonlyMap<string, Source>): Set<string> {
  const reached = new Set<string>()
  const waiting = [...entries]
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (reached.has(path)) continue
    reached.add(path)
    for (const { path: next } of sources.get(path)?.imports ?? []) if (next !== undefined) waiting.push(next)
  }
  return reached
}

/** Layers below the adapters: their tests too live on the virtual runtime and a seed (house rule 27). */
export const belowAdapters = ['structures', 'core', ...parts, 'policies', 'propagation']

/** Layers that are synchronous and take callbacks (house rule 9). */
export const synchronous = ['structures', 'core', ...parts, 'policies']
