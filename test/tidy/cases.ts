// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the strings are code that contains templates.
// Small sets of files, each with one rule broken and the places where it must be seen, and tricky ones that break none.
import { functionLineMax, lineMax } from './rules.ts'

interface Case {
  readonly rule: string
  readonly what: string
  readonly files: Readonly<Record<string, string>>
}

interface Broken extends Case {
  /** Where the findings must be, as `file:line`. */
  readonly at: readonly string[]
}

const src = 'packages/spillway/src'
const timeRule = 'time and chance come from the runtime'
const fileRule = `files under ${lineMax} lines`
const functionRule = `functions under ${functionLineMax} lines`

export const broken: readonly Broken[] = [
  importing('layers', 'a structure that imports', 'structures/ring.ts', '../core/assert.ts'),
  importing('layers', 'a structure that knows another', 'structures/ring.ts', './heap.ts'),
  importing('layers', 'core reaching up', 'core/admission.ts', '../limiters/fixed.ts'),
  importing('layers', 'core reaching for a clock', 'core/admission.ts', '../runtime/node.ts'),
  importing('layers', 'a part that knows another kind of part', 'limiters/fixed.ts', '../disciplines/fifo.ts'),
  importing('layers', 'a part reaching for a clock', 'quotas/token-bucket.ts', '../runtime/node.ts'),
  importing('layers', 'propagation reaching for the surface', 'propagation/gate.ts', '../surface/create-gate.ts'),
  importing('layers', 'an adapter that knows another', 'adapters/koa.ts', './node-http.ts'),
  importing('layers', 'an adapter on virtual time', 'adapters/koa.ts', '../runtime/virtual.ts'),
  importing('layers', 'an adapter reaching for a part', 'adapters/koa.ts', '../limiters/fixed.ts'),
  importing('layers', 'shipped code on test code', 'surface/create-gate.ts', '../testing/index.ts'),
  importing('layers', 'a test imported by shipped code', 'core/admission.ts', './admission.test.ts'),
  importing('layers', 'the index reaching for a framework', 'index.ts', './adapters/koa.ts'),
  importing('layers', 'a way out of the library', 'core/admission.ts', '../../../../demo/src/main.ts'),
  importing('layers', 'a folder without a line in the table', 'helpers/clock.ts', '../core/assert.ts', 1),
  {
    rule: 'layers',
    what: 'types, re-exports, dynamic imports and types by import()',
    files: {
      [`${src}/core/a.ts`]: lines(
        "import type { A } from '../limiters/fixed.ts'",
        "export * from '../limiters/fixed.ts'",
        "export type { B } from '../limiters/fixed.ts'",
        "const late = import('../limiters/fixed.ts')",
        "let typed: import('../limiters/fixed.ts').C",
      ),
    },
    at: [1, 2, 3, 4, 5].map((line) => `${src}/core/a.ts:${line}`),
  },
  importing('no runtime dependencies', 'a package', 'core/admission.ts', 'p-limit'),
  importing('no runtime dependencies', 'a package imported for its types', 'core/admission.ts', 'type-fest'),
  importing('peers as types only', 'a peer imported for its effects', 'adapters/koa.ts', 'koa'),
  {
    rule: 'peers as types only',
    what: 'types inside an import that stays',
    files: {
      [`${src}/adapters/hono.ts`]: lines(
        "import type { Context } from 'hono'",
        "import { type Env } from 'hono'",
        "import { serve } from '@hono/node-server'",
        "const app = await import('express')",
        "export { Router } from 'express'",
        "import { secure } from 'hono/secure-headers'",
      ),
    },
    at: [2, 3, 4, 5, 6].map((line) => `${src}/adapters/hono.ts:${line}`),
  },
  ...[
    'const now = Date.now()',
    'const now = new Date()',
    'const now = Date()',
    'const { now } = Date',
    'const clock = Date',
    'const now = performance.now()',
    'setTimeout(() => {}, 5)',
    'const timer = setInterval',
    'setImmediate(run)',
    'queueMicrotask(run)',
    'process.nextTick(run)',
    'const start = process.hrtime.bigint()',
    "const start = process['hrtime']()",
    'const { nextTick } = process',
    'const age = process.uptime()',
    'const roll = Math.random()',
    'const { random } = Math',
    'const id = crypto.randomUUID()',
    'globalThis.setTimeout(run, 5)',
    "globalThis['setTimeout'](run, 5)",
    'const { setTimeout: later } = globalThis',
    'const signal = AbortSignal.timeout(5)',
    "import { performance } from 'node:perf_hooks'",
    "import { setTimeout } from 'node:timers/promises'",
    "import { randomInt } from 'node:crypto'",
    "import { hrtime } from 'node:process'",
    "const { hrtime } = await import('node:process')",
    'class A { at = Date.now() }',
    'const text = `${Date.now()}`',
    'const object = { setTimeout }',
    'const value = (setTimeout as unknown)!',
    'const value = Date.now() satisfies number',
  ].map((statement) => ({
    rule: timeRule,
    what: statement,
    files: { [`${src}/core/a.ts`]: lines('// Why.', statement), [`${src}/runtime/node.ts`]: statement },
    at: [`${src}/core/a.ts:2`],
  })),
  one(
    'tests use the virtual runtime',
    'a sleep in a test',
    'core/a.test.ts',
    'await new Promise((r) => setTimeout(r, 5))',
  ),
  one('tests use the virtual runtime', 'chance in a test', 'limiters/a.test.ts', 'const seed = Math.random()'),
  one('promises at the edge', 'an async function', 'core/a.ts', 'async function run() {}'),
  one('promises at the edge', 'an async arrow', 'limiters/a.ts', 'const run = async () => {}'),
  one('promises at the edge', 'a promise', 'disciplines/a.ts', 'const wait = new Promise(() => {})'),
  one('promises at the edge', 'an await', 'core/a.ts', 'await run()'),
  {
    rule: 'no dead files',
    what: 'a file that only a test and a dead file import',
    files: {
      'packages/spillway/package.json': '{"exports":{"./koa":{"spillway-source":"./src/adapters/koa.ts"}}}',
      [`${src}/index.ts`]: "export * from './core/a.ts'",
      [`${src}/core/a.ts`]: '',
      [`${src}/core/b.ts`]: '',
      [`${src}/core/b.test.ts`]: "import './b.ts'",
      [`${src}/core/c.ts`]: "import './b.ts'",
      [`${src}/adapters/koa.ts`]: '',
    },
    at: [`${src}/core/b.ts:1`, `${src}/core/c.ts:1`],
  },
  one('opens with why it exists', 'a file that begins with code', 'core/a.ts', "import './b.ts' // Why.", 1),
  {
    rule: fileRule,
    what: 'one line too many',
    files: { 'demo/src/a.ts': '\n'.repeat(lineMax + 1) },
    at: [`demo/src/a.ts:${lineMax + 1}`],
  },
  ...[
    ['a function', 'function run() {', '}'],
    ['an arrow', 'const run = () => {', '}'],
    ['a method', 'class A { run() {', '} }'],
    ['a getter', 'class A { get run() {', '} }'],
    ['a function with braces in text', 'const run = () => { /}}}/.test("{{{")', '}'],
  ].map(([what, opens, closes]) => ({
    rule: functionRule,
    what: `${what} one line too long`,
    files: { 'scripts/a.ts': lines('// Why.', opens as string, '\n'.repeat(functionLineMax - 2), closes as string) },
    at: ['scripts/a.ts:2'],
  })),
  one('no any', 'an annotation', 'core/a.ts', 'let a: any'),
  one('no any', 'a cast inside a template', 'core/a.ts', 'const a = `${(b as any).c}`'),
  one('no any', 'a type argument', 'core/a.ts', 'const a = new Map<string, any>()'),
  one('no silenced compiler', 'an ignored error', 'core/a.ts', '// @ts-ignore'),
  one('no silenced compiler', 'an ignored file', 'core/a.ts', '/* @ts-nocheck */'),
  one('nothing left to do', 'a promise to come back', 'core/a.ts', '/** TODO: the rest. */'),
  one('nothing left to do', 'another', 'core/a.ts', 'run() // FIXME'),
  ...['it.only', 'it.skip', 'describe.only', 'describe.skip.each([1])', 'test.concurrent.only', 'it.todo', 'xit'].map(
    (name) => one('no test left out', name, 'core/a.test.ts', `${name}('runs', () => {})`),
  ),
  ...['vi.mock', 'vi.doMock', 'vi.useFakeTimers', 'vi.setSystemTime', 'vi.stubGlobal'].map((name) =>
    one('no fakes of our own code or of time', name, 'core/a.test.ts', `${name}('./a.ts')`),
  ),
  one('names from the glossary', 'a file name in camel case', 'core/deadLine.ts', '', 1),
  one('names from the glossary', 'a file for everything', 'core/time-utils.ts', '', 1),
  one('names from the glossary', 'a manager', 'core/a.ts', 'class LimitManager {}'),
  ...['/work/main', '/root/.npmrc', '/home/me/spillway', '/Users/me/spillway', 'registry = x', 'verdaccio'].map(
    (word) => ({
      rule: 'no machine of ours',
      what: word,
      files: { 'docs/install.md': lines('Install:', word), '.npmrc': '' },
      at: ['docs/install.md:2'],
    }),
  ),
  {
    rule: 'no machine of ours',
    what: 'a registry in the lock file',
    files: { 'package-lock.json': '"resolved": "https://npm.example.com/koa.tgz"' },
    at: ['package-lock.json:1'],
  },
]

export const sound: readonly Case[] = [
  {
    rule: 'layers',
    what: 'imports that point down, and test code on anything',
    files: {
      [`${src}/core/a.ts`]: lines("import './b.ts'", "import '../structures/heap.ts'"),
      [`${src}/limiters/index.ts`]: lines("import './fixed.ts'", "import '../core/limiter.ts'"),
      [`${src}/adapters/koa.ts`]: lines("import '../runtime/node.ts'", "import '../surface/create-gate.ts'"),
      [`${src}/testing/index.ts`]: "import '../runtime/virtual.ts'",
      [`${src}/core/a.test.ts`]: lines("import '../testing/index.ts'", "import '../limiters/fixed.ts'"),
    },
  },
  {
    rule: timeRule,
    what: 'the words where they are no clocks',
    files: {
      [`${src}/core/a.ts`]: lines(
        '// Date.now() and Math.random() would make this a lie.',
        "const text = 'Date.now()' + `setTimeout(${1})` + /Math.random()/.source",
        'const when = new Date(wallNow), then = Date.parse(header), later = Date.UTC(2026, 1)',
        'let at: Date, timer: ReturnType<typeof setTimeout>, clock: typeof performance',
        'interface Clock { setTimeout(run: () => void): void; performance: number }',
        'const timer = runtime.setTimeout, crypt = options.crypto, key = { setTimeout: 1 }',
        'class Twin { performance = 1; setTimeout() {} }',
        'const half = Math.floor(1) + process.pid, dated = when instanceof Date',
        "import type { EventLoopUtilization } from 'node:perf_hooks'",
      ),
      'demo/src/a.ts': 'const now = Date.now()',
      [`${src}/adapters/koa.test.ts`]: 'setTimeout(run, 5)',
    },
  },
  {
    rule: 'promises at the edge',
    what: 'promises in files for them, and in types',
    files: {
      [`${src}/core/admission-async.ts`]: 'export async function run() { await new Promise(() => {}) }',
      [`${src}/propagation/gate.ts`]: 'export async function run() {}',
    },
  },
  {
    rule: 'no dead files',
    what: 'what an entry reaches by any kind of import, and a helper of the tests',
    files: {
      'packages/spillway/package.json': '{"exports":{"./koa":{"spillway-source":"./src/adapters/koa.ts"}}}',
      [`${src}/index.ts`]: "export { a } from './core/a.ts'",
      [`${src}/core/a.ts`]: "import type { B } from './b.ts'\nconst late = import('./c.ts')",
      [`${src}/core/b.ts`]: "let d: import('./d.ts').D",
      [`${src}/core/c.ts`]: '',
      [`${src}/core/d.ts`]: '',
      [`${src}/core/e.ts`]: '',
      [`${src}/adapters/koa.ts`]: "export * from '../core/a.ts'",
      'packages/spillway/test/conformance.ts': "import '../src/core/e.ts'",
    },
  },
  {
    rule: 'opens with why it exists',
    what: 'line comments, blocks, and scripts with a shebang',
    files: {
      'demo/src/a.ts': '// Why.\n',
      'demo/src/b.ts': '/** Why. */\n',
      'scripts/c.mjs': '#!/usr/bin/env node\n// Why.\n',
    },
  },
  { rule: fileRule, what: 'the last line allowed', files: { 'demo/src/a.ts': `${'\n'.repeat(lineMax - 1)}\n` } },
  {
    rule: functionRule,
    what: 'the last line allowed, and a chapter of tests',
    files: {
      'scripts/a.ts': lines('const run = () => {', '\n'.repeat(functionLineMax - 3), '}'),
      [`${src}/core/a.test.ts`]: lines(
        "describe('a', () => {",
        '\n'.repeat(functionLineMax),
        '})',
        "describe.each([1])('b', () => {",
        '\n'.repeat(functionLineMax),
        '})',
      ),
    },
  },
  { rule: 'no any', what: 'the word', files: { 'demo/src/a.ts': "const any = 'any' // any" } },
  {
    rule: 'nothing left to do',
    what: 'the word outside comments',
    files: { 'demo/src/a.ts': "const a = 'TODO' // todos" },
  },
  {
    rule: 'no test left out',
    what: 'methods of the same name',
    files: { [`${src}/core/a.test.ts`]: "stream.skip(1); it('skips', () => only()); it.each([1])('x', () => {})" },
  },
  {
    rule: 'no machine of ours',
    what: 'routes, the public registry and the word',
    files: {
      'docs/a.md': 'GET /work, https://example.com/work/1, demo/work/x, a registry of parts',
      'package-lock.json': '"resolved": "https://registry.npmjs.org/koa/-/koa-3.0.0.tgz"',
    },
  },
]

/** One import in one file of the library, seen at its line. */
function importing(rule: string, what: string, file: string, specifier: string, atLine = 2): Broken {
  return one(rule, what, file, `import '${specifier}'`, atLine)
}

/** One statement on line 2 of one file of the library. */
function one(rule: string, what: string, file: string, statement: string, atLine = 2): Broken {
  const path = `${src}/${file}`
  const opening = atLine === 1 && rule !== 'layers' ? [] : ['// Why.']
  return { rule, what, files: { [path]: lines(...opening, statement) }, at: [`${path}:${atLine}`] }
}

function lines(...texts: readonly string[]): string {
  return texts.join('\n')
}
