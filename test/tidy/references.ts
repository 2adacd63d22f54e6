// Finds every way into time, timers and chance: a clock read or a timer started past the runtime makes a simulation lie
// and a test flake. Only values count; the type `Date` or `typeof setTimeout` does no harm.
import { isNode, memberName, type Node, type Source, type Step, walk } from './source.ts'

export interface Reference {
  readonly name: string
  readonly start: number
}

const globals = new Set([
  ...['setTimeout', 'setInterval', 'setImmediate', 'queueMicrotask', 'performance', 'crypto'],
  ...['MessageChannel', 'Temporal'],
])
/** Members of otherwise harmless objects. */
const members: Record<string, ReadonlySet<string>> = {
  Math: new Set(['random']),
  process: new Set(['hrtime', 'nextTick', 'uptime']),
  AbortSignal: new Set(['timeout']),
  Atomics: new Set(['wait', 'waitAsync']),
}
const modules = /^(node:)?(timers|timers\/promises|perf_hooks|crypto|process)$/
/** Reading a time somebody else wrote down is no clock: `Date.parse(text)`, `new Date(ms)`. */
const calendar = new Set(['parse', 'UTC', 'prototype'])

export function timeAndChance(source: Source): Reference[] {
  const found: Reference[] = []
  for (const { specifier, typeOnly, start } of source.imports) {
    if (!typeOnly && modules.test(specifier)) found.push({ name: specifier, start })
  }
  walk(source.program, (step) => {
    if (isTypeOnly(step.node)) return false
    const name = isReference(step) ? nameOf(step) : undefined
    if (name !== undefined) found.push({ name, start: step.node.start })
    return true
  })
  return found
}

function nameOf({ node, parent, field }: Step): string | undefined {
  const name = node.name as string
  if (globals.has(name)) return name
  const member = parent?.type === 'MemberExpression' && field === 'object' ? memberName(parent) : undefined
  if (name === 'globalThis' || name === 'global') return member === undefined || globals.has(member) ? name : undefined
  if (name === 'Date') return readsClock(parent, field, member) ? 'Date' : undefined
  const banned = members[name]
  if (banned === undefined) return undefined
  if (member !== undefined) return banned.has(member) ? `${name}.${member}` : undefined
  // `const { random } = Math` takes it out by another door.
  return takenApart(parent, field, banned) ? name : undefined
}

function readsClock(parent: Node | undefined, field: string, member: string | undefined): boolean {
  if (member !== undefined) return !calendar.has(member)
  if (parent?.type === 'NewExpression' && field === 'callee') return (parent.arguments as Node[]).length === 0
  return !(parent?.type === 'BinaryExpression' && parent.operator === 'instanceof')
}

function takenApart(parent: Node | undefined, field: string, banned: ReadonlySet<string>): boolean {
  if (parent?.type !== 'VariableDeclarator' || field !== 'init' || !isNode(parent.id)) return false
  if (parent.id.type !== 'ObjectPattern') return false
  return (parent.id.properties as Node[]).some((property) => {
    return isNode(property.key) && banned.has(property.key.name as string)
  })
}

/** An identifier that stands for a value, as opposed to a name after a dot, a key, or a name being exported or imported. */
function isReference({ node, parent, field }: Step): boolean {
  if (node.type !== 'Identifier' || parent === undefined) return false
  if (parent.type === 'MemberExpression') return field === 'object' || parent.computed === true
  if (field === 'key') return parent.computed === true
  return !['ImportSpecifier', 'ExportSpecifier', 'LabeledStatement'].includes(parent.type)
}

function isTypeOnly({ type }: Node): boolean {
  return type.startsWith('TS') && !valueWrappers.has(type)
}

/** TypeScript's nodes that hold code which runs; enums and namespaces are not erasable, so the compiler forbids them. */
const valueWrappers = new Set([
  ...['TSAsExpression', 'TSSatisfiesExpression', 'TSNonNullExpression', 'TSTypeAssertion'],
  ...['TSInstantiationExpression', 'TSParameterProperty', 'TSExportAssignment'],
])
