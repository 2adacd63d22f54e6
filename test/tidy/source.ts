// A source file as the tidy rules see it: its syntax tree, comments and imports. The parser is the one Vite brings (oxc),
// because a scanner of our own would have to know strings, templates and regular expressions, and would be wrong about
// one of them some day. TypeScript 7 has no parser to call from JavaScript.
import { posix } from 'node:path'
import { parseSync } from 'vite'

/** A node of the syntax tree (ESTree with TypeScript); what else it holds depends on its type. */
export interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [field: string]: unknown
}

export interface Import {
  /** As written: `./fixed.ts`, `node:http`, `express`. */
  readonly specifier: string
  /** The path inside the workspace, for relative imports only. */
  readonly path: string | undefined
  /** Gone after compilation: `import type` and `export type`, not `import { type X }`, which still loads the module. */
  readonly typeOnly: boolean
  readonly start: number
}

export interface Comment {
  readonly text: string
  readonly start: number
}

export interface Source {
  readonly path: string
  readonly text: string
  readonly program: Node
  readonly comments: readonly Comment[]
  readonly imports: readonly Import[]
  lineAt(offset: number): number
}

/** One step of a walk: the node, the node above it, and the field of that one which holds it. */
export interface Step {
  readonly node: Node
  readonly parent: Node | undefined
  readonly field: string
}

export function parseSource(path: string, text: string): Source {
  const lang = path.endsWith('.ts') ? 'ts' : 'js'
  const parsed = parseSync(path, text, { lang, sourceType: 'module' })
  const [error] = parsed.errors
  if (error !== undefined) throw new Error(`${path} cannot be parsed: ${error.message}`)
  const program = parsed.program as unknown as Node
  const lineStarts = startsOfLines(text)
  return {
    path,
    text,
    program,
    comments: parsed.comments.map(({ value, start }) => ({ text: value, start })),
    imports: importsOf(path, program),
    lineAt: (offset) => countUpTo(lineStarts, offset),
  }
}

/** All nodes in the order of the text. `enter` returns false to leave out what is below. */
export function walk(node: Node, enter: (step: Step) => boolean | undefined, parent?: Node, field = ''): void {
  if (enter({ node, parent, field }) === false) return
  for (const [name, value] of Object.entries(node)) {
    for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) walk(child, enter, node, name)
  }
}

export function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string'
}

/** `a`, `a.b`, `a.b.c`; undefined for anything that is not a plain chain of names. */
export function dotted(node: unknown): string | undefined {
  if (!isNode(node)) return undefined
  if (node.type === 'Identifier') return node.name as string
  if (node.type === 'ChainExpression') return dotted(node.expression)
  if (node.type !== 'MemberExpression') return undefined
  const object = dotted(node.object)
  const property = memberName(node)
  return object === undefined || property === undefined ? undefined : `${object}.${property}`
}

/** The name in `object.name` and `object['name']`. */
export function memberName(member: Node): string | undefined {
  const property = member.property as Node
  if (!member.computed) return property.name as string
  return property.type === 'Literal' && typeof property.value === 'string' ? property.value : undefined
}

function importsOf(path: string, program: Node): Import[] {
  const found: Import[] = []
  walk(program, ({ node }) => {
    const source = node.source ?? node.argument
    if (!importing.has(node.type) || !isNode(source) || typeof source.value !== 'string') return
    const specifier = source.value
    const relative = specifier.startsWith('.') ? posix.join(posix.dirname(path), specifier) : undefined
    const typeOnly = node.type === 'TSImportType' || node.importKind === 'type' || node.exportKind === 'type'
    found.push({ specifier, path: relative, typeOnly, start: node.start })
  })
  return found
}

const importing = new Set([
  'ImportDeclaration',
  'ExportNamedDeclaration',
  'ExportAllDeclaration',
  'ImportExpression',
  'TSImportType',
])

function startsOfLines(text: string): number[] {
  const starts = [0]
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return starts
}

function countUpTo(sorted: readonly number[], offset: number): number {
  let low = 0
  let high = sorted.length
  // Starts before `low` are at or below the offset, starts from `high` on are above it.
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((sorted[middle] as number) <= offset) low = middle + 1
    else high = middle
  }
  return low
}
