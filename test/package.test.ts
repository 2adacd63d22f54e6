// What users get is a tarball, not this tree: it is packed, looked at, installed in a folder outside the workspace without
// any peer, imported and compiled there.
import { execFile } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { removeOrphans } from '../scripts/library.mjs'

interface Manifest {
  readonly exports: Readonly<Record<string, string | { readonly 'spillway-source': string }>>
  readonly peerDependencies: Readonly<Record<string, string>>
}

const root = fileURLToPath(new URL('..', import.meta.url))
const library = join(root, 'packages', 'spillway')
const manifest = JSON.parse(readFileSync(join(library, 'package.json'), 'utf8')) as Manifest
const subpaths = Object.keys(manifest.exports).filter((path) => path !== './package.json')
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'spillway-package-')))
const consumer = join(folder, 'consumer')
let tarball = ''
let packed: string[] = []

beforeAll(async () => {
  await tool('typescript/bin/tsc', ['-b', library])
  removeOrphans()
  const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', folder], library)
  const [pack] = JSON.parse(stdout) as [{ filename: string; files: { path: string }[] }]
  tarball = join(folder, pack.filename)
  packed = pack.files.map(({ path }) => path)
  mkdirSync(consumer)
  writeFileSync(join(consumer, 'package.json'), '{ "private": true, "type": "module" }')
  // Offline: the library has no dependencies, so there is nothing to ask a registry for.
  await run('npm', ['install', '--offline', '--ignore-scripts', '--no-audit', '--no-fund', tarball], consumer)
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('the packed library', () => {
  it('holds what a package must, and nothing that only we need', () => {
    expect(packed).toEqual(expect.arrayContaining(['LICENSE', 'README.md', 'package.json', 'dist/index.js']))
    const expected = /^(LICENSE|README\.md|package\.json|dist\/.*(?<!\.test)\.(js|d\.ts))$/
    expect(packed.filter((path) => !expected.test(path))).toEqual([])
  })

  it('has a source for every file, types for every module, and points to no source map', () => {
    for (const path of packed.filter((name) => name.endsWith('.js'))) {
      expect(packed).toContain(path.replace(/\.js$/, '.d.ts'))
      expect(() => readFileSync(join(library, path.replace(/^dist/, 'src').replace(/\.js$/, '.ts')))).not.toThrow()
      expect(readFileSync(join(library, path), 'utf8')).not.toContain('sourceMappingURL')
    }
  })

  it('is what publint asks for, its warnings and suggestions included', async () => {
    const bytes = readFileSync(tarball)
    const buffer = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength)
    const { messages, pkg } = await publint({ pack: { tarball: buffer }, strict: true })
    expect(messages.map((message) => formatMessage(message, pkg))).toEqual([])
  })

  it('resolves its types wherever ESM is understood', async () => {
    await tool('@arethetypeswrong/cli/dist/index.js', [tarball, '--profile', 'esm-only'])
  })
})

describe('installed without any peer', () => {
  it('brings nothing but itself', () => {
    expect(readdirSync(join(consumer, 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual(['spillway'])
  })

  it.each(subpaths)('loads %s on plain Node, and nothing happens on import', async (subpath) => {
    const name = subpath.replace(/^\./, 'spillway')
    const script = `const names = Object.keys(await import('${name}'))
      console.log(JSON.stringify({ names, open: process.getActiveResourcesInfo() }))`
    const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', script], consumer)
    const { names, open } = JSON.parse(stdout) as { names: string[]; open: string[] }
    expect(names.length).toBeGreaterThan(0)
    // What Node itself holds open is the pipe that this line was written to.
    expect(open.filter((resource) => resource !== 'PipeWrap')).toEqual([])
  })
})

describe('compiled by a user', () => {
  const resolutions = [
    { name: 'nodenext', settings: { module: 'nodenext', moduleResolution: 'nodenext' } },
    { name: 'bundler', settings: { module: 'preserve', moduleResolution: 'bundler' } },
  ]

  it.each(resolutions)('has types that stand alone, under $name', async ({ name, settings }) => {
    const project = projectWith(`bare-${name}`, 'bare.ts', ['@types/node'], { ...settings, skipLibCheck: false })
    await tool('typescript/bin/tsc', ['-p', project])
  })

  it.each(resolutions)('fits the frameworks, under $name', async ({ name, settings }) => {
    const peers = [...Object.keys(manifest.peerDependencies), '@types/node', '@types/express', '@types/koa']
    // The frameworks' own declarations are not ours to check.
    const project = projectWith(`peers-${name}`, 'frameworks.ts', peers, { ...settings, skipLibCheck: true })
    await tool('typescript/bin/tsc', ['-p', project])
  })
})

/** A folder with the installed library, links to some of this workspace's packages, and one file to compile. */
function projectWith(
  name: string,
  file: string,
  packages: readonly string[],
  settings: Record<string, unknown>,
): string {
  const project = join(folder, name)
  cpSync(consumer, project, { recursive: true })
  for (const dependency of packages) {
    const link = join(project, 'node_modules', dependency)
    mkdirSync(dirname(link), { recursive: true })
    symlinkSync(join(root, 'node_modules', dependency), link)
  }
  cpSync(join(root, 'test', 'consumer', file), join(project, file))
  const compilerOptions = {
    target: 'es2023',
    lib: ['es2023'],
    types: ['node'],
    strict: true,
    noEmit: true,
    ...settings,
  }
  writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: [file] }))
  return project
}

function tool(bin: string, args: readonly string[]) {
  return run(process.execPath, [join(root, 'node_modules', bin), ...args], root)
}

/** Resolves when the command ends well; otherwise the error shows what it printed. */
function run(file: string, args: readonly string[], cwd: string) {
  // What npm tells its scripts about this workspace would make it work here instead of in the folder it is called in.
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(npm_|NODE_OPTIONS$)/i.test(name)))
  return new Promise<{ stdout: string }>((done, fail) => {
    execFile(file, args, { cwd, env, maxBuffer: 10_000_000 }, (error, stdout, stderr) => {
      if (error === null) done({ stdout })
      else fail(new Error(`${file} ${args.join(' ')}: exit code ${error.code}\n${stdout}${stderr}`))
    })
  })
}
