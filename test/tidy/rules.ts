// The rules that a machine can check, one row each: where the rule holds and what breaks it. A rule that mattered twice in
// review becomes a row here (house rule 35), with a case in tidy.test.ts that shows it being broken.
import { arrowProblem, belowAdapters, isLayer, reachableFrom, synchronous } from './layers.ts'
import { timeAndChance } from './references.ts'
import { dotted, isNode, type Node, type Source, walk } from './source.ts'
import type { Tree } from './tree.ts'

export interface Finding {
  readonly line: number
  readonly says: string
}

export interface Rule {
  readonly name: string
  /** The files the rule holds for, by path. */
  readonly covers: RegExp
  readonly except?: RegExp
  /** Rules about code get the parsed source, rules about text the text. */
  readonly source?: (source: Source, tree: Tree) => Finding[]
  readonly text?: (text: string, path: string) => Finding[]
}

const src = 'packages/spillway/src/'
const library = /^packages\/spillway\/src\/.*\.ts$/
const tests = /\.test\.ts$/
const code = /^(packages\/(spillway|cli)\/(src|test)|demo|bench|examples|scripts|test)\/.*\.(ts|mjs|js)$/
const outsideRuntime = folders(['index.ts', 'surface', 'adapters', 'testing', 'verdict', 'sim', ...belowAdapters])
const peers = /^(express|fastify|hono|@hono\/node-server|koa)(\/|$)/

export const lineMax = 400
export const functionLineMax = 70

export const rules: readonly Rule[] = [
  { name: 'layers', covers: library, except: tests, source: arrows },
  { name: 'no runtime dependencies', covers: library, except: tests, source: strangers },
  { name: 'peers as types only', covers: library, except: tests, source: valuesOfPeers },
  { name: 'time and chance come from the runtime', covers: outsideRuntime, except: tests, source: timed },
  { name: 'tests use the virtual runtime', covers: folders(belowAdapters, '\\.test\\.ts$'), source: timed },
  { name: 'promises at the edge', covers: folders(synchronous), except: /(-async|\.test)\.ts$/, source: promises },
  { name: 'no dead files', covers: library, except: tests, source: dead },
  { name: 'opens with why it exists', covers: code, except: tests, source: silentStart },
  { name: `files under ${lineMax} lines`, covers: code, text: longFile },
  { name: `functions under ${functionLineMax} lines`, covers: code, source: longFunctions },
  { name: 'no any', covers: code, source: anys },
  { name: 'no silenced compiler', covers: code, source: (source) => inComments(source, /@ts-(ignore|nocheck)/) },
  { name: 'nothing left to do', covers: code, source: (source) => inComments(source, /\b(TODO|FIXME|XXX)\b/) },
  { name: 'no test left out', covers: tests, source: leftOut },
  { name: 'no fakes of our own code or of time', covers: tests, source: fakes },
  { name: 'names from the glossary', covers: library, source: badNames },
  { name: 'no machine of ours', covers: /^/, except: /^test\/tidy(\/|\.test)/, text: machineWords },
]

/** Everything that breaks a rule, as `file:line rule: what`. */
export function check(tree: Tree, chosen: readonly Rule[] = rules): string[] {
  return chosen.flatMap((rule) =>
    [...tree.files]
      .filter(([path]) => rule.covers.test(path) && rule.except?.test(path) !== true)
      .flatMap(([path, text]) => {
        const source = tree.sources.get(path)
        const inCode = source === undefined ? [] : (rule.source?.(source, tree) ?? [])
        return [...inCode, ...(rule.text?.(text, path) ?? [])].map(
          ({ line, says }) => `${path}:${line} ${rule.name}: ${says}`,
        )
      }),
  )
}

function folders(names: readonly string[], end = '\\.ts$'): RegExp {
  return new RegExp(
    `^${src}(${names.map((name) => (name.endsWith('.ts') ? name : `${name}/.*`)).join('|')})`.concat(`(?<=${end})`),
  )
}

function arrows(source: Source): Finding[] {
  if (!isLayer(source.path.slice(src.length))) return [{ line: 1, says: 'its folder is not in test/tidy/layers.ts' }]
  return found(source, source.imports, ({ path }) => {
    if (path === undefined) return undefined
    if (tests.test(path)) return 'shipped code never reaches test code'
    if (!path.startsWith(src)) return `${path} is outside the library`
    return arrowProblem(source.path.slice(src.length), path.slice(src.length))
  })
}

function strangers(source: Source): Finding[] {
  return found(source, source.imports, ({ path, specifier }) => {
    if (path !== undefined || specifier.startsWith('node:') || peers.test(specifier)) return undefined
    return `${specifier} is neither Node's own nor an optional peer`
  })
}

function valuesOfPeers(source: Source): Finding[] {
  return found(source, source.imports, ({ specifier, typeOnly }) => {
    return peers.test(specifier) && !typeOnly ? `${specifier} must be an \`import type\`` : undefined
  })
}

function timed(source: Source): Finding[] {
  return found(source, timeAndChance(source), ({ name }) => `${name} outside runtime/`)
}

function promises(source: Source): Finding[] {
  return nodes(source, ({ type, async, name }) => {
    if (async === true || type === 'AwaitExpression') return 'async code belongs into a file *-async.ts'
    return type === 'Identifier' && name === 'Promise' ? 'promises belong into a file *-async.ts' : undefined
  })
}

function dead(source: Source, tree: Tree): Finding[] {
  const roots = [
    ...entriesOf(tree),
    ...[...tree.files.keys()].filter((path) => /^packages\/spillway\/test\//.test(path)),
  ]
  if (reachableFrom(roots, tree.sources).has(source.path)) return []
  return [{ line: 1, says: 'no entry of the exports map reaches this file' }]
}

/** The sources behind the exports map. */
function entriesOf(tree: Tree): string[] {
  const { exports } = JSON.parse(tree.files.get('packages/spillway/package.json') ?? '{"exports":{}}') as {
    exports: Record<string, { 'spillway-source'?: string }>
  }
  const listed = Object.values(exports).flatMap((entry) => entry['spillway-source'] ?? [])
  return [`${src}index.ts`, ...listed.map((path) => path.replace(/^\.\//, 'packages/spillway/'))]
}

function silentStart(source: Source): Finding[] {
  const afterShebang = source.text.startsWith('#!') ? source.text.indexOf('\n') + 1 : 0
  const opens = source.comments.some(({ start }) => start === afterShebang)
  return opens ? [] : [{ line: 1, says: 'the file does not open with a comment' }]
}

function longFile(text: string): Finding[] {
  const lines = text.replace(/\n$/, '').split('\n').length
  return lines > lineMax ? [{ line: lineMax + 1, says: `the file has ${lines} lines` }] : []
}

function longFunctions(source: Source): Finding[] {
  const findings: Finding[] = []
  walk(source.program, ({ node, parent }) => {
    if (!/^(FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/.test(node.type)) return
    // A block of tests is a chapter, not a function.
    if (parent?.type === 'CallExpression' && /^(describe|suite)\b/.test(calleeOf(parent) ?? '')) return
    const line = source.lineAt(node.start)
    const lines = source.lineAt(node.end) - line + 1
    if (lines > functionLineMax) findings.push({ line, says: `the function has ${lines} lines` })
  })
  return findings
}

/** `describe` for `describe(…)`, `describe.each` for `describe.each(rows)(…)`. */
function calleeOf(call: Node): string | undefined {
  const { callee } = call
  return isNode(callee) && callee.type === 'CallExpression' ? calleeOf(callee) : dotted(callee)
}

function anys(source: Source): Finding[] {
  return nodes(source, ({ type }) => (type === 'TSAnyKeyword' ? 'say what it is, or `unknown`' : undefined))
}

function leftOut(source: Source): Finding[] {
  return nodes(source, (node) => {
    const name = node.type === 'MemberExpression' ? dotted(node) : undefined
    if (name !== undefined && /^(it|test|describe|suite|bench)\b.*\.(only|skip|todo|fails)$/.test(name)) return name
    return node.type === 'CallExpression' && /^x(it|test|describe)$/.test(calleeOf(node) ?? '')
      ? calleeOf(node)
      : undefined
  })
}

function fakes(source: Source): Finding[] {
  return nodes(source, (node) => {
    const name = node.type === 'MemberExpression' ? dotted(node) : undefined
    const faking = /^(vi|vitest)\.(mock|doMock|useFakeTimers|setSystemTime|stubGlobal)$/
    return name !== undefined && faking.test(name) ? `${name}: pass a virtual runtime instead` : undefined
  })
}

function badNames(source: Source): Finding[] {
  const file = source.path.split('/').at(-1) ?? ''
  const findings: Finding[] = []
  if (!/^[a-z0-9]+(-[a-z0-9]+)*(\.test)?\.ts$/.test(file)) findings.push({ line: 1, says: `${file} is not kebab-case` })
  if (/\b(manager|helpers?|utils?|handlers?|data|info|misc|common)\b/.test(file)) {
    findings.push({ line: 1, says: `${file} does not say what is in it` })
  }
  const declared = nodes(source, ({ type, id }) => {
    if (!/^(Class|Function|TSInterface|TSTypeAlias)Declaration$/.test(type) || !isNode(id)) return undefined
    return /(Manager|Helper|Utils?|Info)$/.test(id.name as string) ? `${id.name} is not a word for a part` : undefined
  })
  return [...findings, ...declared]
}

/** Paths of a person's or a sandbox's machine, and registries other than the public one. */
const machine = new RegExp(
  [
    '(?<![\\w.])/(work|root)/',
    '/(home|Users)/\\w',
    '"resolved": "https?://(?!registry\\.npmjs\\.org/)',
    '^\\s*(registry|cafile|_authToken)\\s*=',
    '\\b(verdaccio|artifactory)\\b',
  ].join('|'),
)

function machineWords(text: string): Finding[] {
  return text.split('\n').flatMap((line, index) => {
    const word = machine.exec(line)?.[0]
    return word === undefined ? [] : [{ line: index + 1, says: `${word} is of one machine only` }]
  })
}

function inComments(source: Source, words: RegExp): Finding[] {
  return found(source, source.comments, ({ text }) => words.exec(text)?.[0])
}

/** A finding for each item that has something wrong with it. */
function found<T extends { readonly start: number }>(
  source: Source,
  items: readonly T[],
  problem: (item: T) => string | undefined,
): Finding[] {
  return items.flatMap((item) => {
    const says = problem(item)
    return says === undefined ? [] : [{ line: source.lineAt(item.start), says }]
  })
}

function nodes(source: Source, problem: (node: Node) => string | undefined): Finding[] {
  const all: Node[] = []
  walk(source.program, ({ node }) => void all.push(node))
  return found(source, all, problem)
}
