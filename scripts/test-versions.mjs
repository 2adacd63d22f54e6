// `npm run test:versions`: the library's own tests under every Node that it supports. Each comes from the npm package `node`
// into .cache/node-<major>, and stays there; the newest of its major is asked for again on each run, and the cached one is
// used when the registry cannot be asked.
//
// Exit codes: 0 all pass, 1 some fail, 2 bad input. Majors may be named: `npm run test:versions -- 22 26`.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { explainNpmFailure } from './npm-failure.mjs'
import { cache, hostEnv, modules, nodeBinary, npmCommand, root, runLogged, seconds } from './workspace.mjs'

const supported = ['22', '24', '26']
const asked = process.argv.slice(2)
const unknown = asked.filter((major) => !supported.includes(major))

if (unknown.length > 0) {
  console.error(`test:versions: majors must be of ${supported.join(', ')}, got ${unknown.join(', ')}`)
  process.exitCode = 2
} else {
  const rows = []
  for (const major of asked.length > 0 ? asked : supported) rows.push(await testUnder(major))
  console.log(`\n${table([['Node', 'passed', 'failed', 'took', 'result'], ...rows.map(({ cells }) => cells)])}`)
  process.exitCode = rows.every(({ holds }) => holds) ? 0 : 1
}

async function testUnder(major) {
  const began = Date.now()
  const node = await provideNode(major)
  if (node.problem !== undefined) return { holds: false, cells: [major, '-', '-', seconds(began), node.problem] }
  console.log(`\ntest:versions: Node ${node.version}`)
  const tally = join(cache, `tally-${major}.json`)
  rmSync(tally, { force: true })
  const code = await vitest(node, tally)
  const { passed, failed } = existsSync(tally) ? JSON.parse(readFileSync(tally, 'utf8')) : { passed: 0, failed: 0 }
  const holds = code === 0 && failed === 0
  const result = holds ? 'passed' : code === 0 ? 'failed' : `failed (exit code ${code})`
  return { holds, cells: [node.version, String(passed), String(failed), seconds(began), result] }
}

/** Where the newest Node of a major is, or why there is none. */
async function provideNode(major) {
  const folder = join(cache, `node-${major}`)
  const path = join(folder, 'node_modules', 'node', 'bin', nodeBinary)
  mkdirSync(folder, { recursive: true })
  // A package of its own, so that npm neither looks at the workspace above nor asks about the install script.
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "allowScripts": { "node": true } }\n')
  console.log(`test:versions: fetching Node ${major} from the npm package "node"`)
  const args = ['install', `node@${major}`, '--prefix', folder, '--no-audit', '--no-fund', '--loglevel=error']
  const flags = ['--engine-strict=false', '--fetch-retry-mintimeout=1000', '--fetch-retry-maxtimeout=5000']
  const log = join(cache, `node-${major}.log`)
  const result = await runLogged(npmCommand([...args, ...flags]), { cwd: folder, env: hostEnv(), log })
  const version = versionOf(path)
  if (version?.startsWith(`v${major}.`)) return { path, bin: join(path, '..'), version: version.slice(1) }
  const why = result.code === 0 ? `it does not run on ${process.platform}-${process.arch}` : explainNpmFailure(result)
  return { problem: `Node ${major} cannot be had: ${why}` }
}

function versionOf(path) {
  const { stdout, error } = spawnSync(path, ['-v'], { encoding: 'utf8' })
  return error === undefined ? stdout.trim() : undefined
}

function vitest(node, tally) {
  const env = { ...process.env, SPILLWAY_TALLY: tally, PATH: `${node.bin}${delimiter}${process.env.PATH}` }
  const reporters = ['--reporter=dot', `--reporter=${join(root, 'scripts', 'tally.mjs')}`]
  const args = [join(modules, 'vitest', 'vitest.mjs'), 'run', '--project', 'spillway', ...reporters]
  const child = spawn(node.path, args, { cwd: root, env, stdio: 'inherit' })
  return new Promise((done) => {
    child.once('error', () => done(127))
    child.once('close', (code) => done(code ?? 1))
  })
}

function table(rows) {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)))
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column]))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}
