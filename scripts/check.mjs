// What `npm test` runs once set-up is done: formatting and lint, types of everything, and all tests, which include the
// checks on the packed library. It stops at the first step that fails and always ends with a line "N passed, N failed"
// that a machine can read; a step that fails before the tests counts as one failure.
//
// Words after `npm test --` go to Vitest: `npm test -- token-bucket` runs the test files with that in their name.
import { spawn } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { removeOrphans } from './library.mjs'
import { cache, modules, root, seconds } from './workspace.mjs'

const tallyFile = join(cache, 'tally.json')
const tally = join(root, 'scripts', 'tally.mjs')
const reporters = ['--reporter=default', '--reporter=hanging-process', `--reporter=${tally}`]

const steps = [
  { name: 'lint', bin: '@biomejs/biome/bin/biome', args: ['check', '--error-on-warnings', '.'] },
  { name: 'types', bin: 'typescript/bin/tsc', args: ['-b'], after: removeOrphans },
  { name: 'tests', bin: 'vitest/vitest.mjs', args: ['run', ...reporters, ...process.argv.slice(2)] },
]

process.exitCode = await check()

async function check() {
  const problem = wrongNode()
  if (problem !== undefined) {
    console.error(problem)
    return 2
  }
  rmSync(tallyFile, { force: true })
  let failure
  for (const step of steps) {
    const began = Date.now()
    console.log(`\ncheck: ${step.name} (${step.bin.split('/').at(-1)} ${step.args.join(' ')})`)
    const code = await run(step)
    if (code !== 0) {
      failure = `check: ${step.name} failed with exit code ${code} after ${seconds(began)}`
      console.error(failure)
      break
    }
    step.after?.()
    console.log(`check: ${step.name} passed in ${seconds(began)}`)
  }
  const { passed, failed } = readTally()
  console.log(`\n${passed} passed, ${failure === undefined ? failed : Math.max(failed, 1)} failed`)
  return failure === undefined && failed === 0 ? 0 : 1
}

/** npm skips the set-up before a script when `ignore-scripts` is set; then the wrong Node runs this. */
function wrongNode() {
  const wanted = readPinned()
  if (wanted === process.versions.node) return undefined
  const found = `this is Node ${process.versions.node}`
  return `check: the tests run on Node ${wanted ?? '24'} from node_modules, and ${found}: run "npm run setup", then "npm test".`
}

function readPinned() {
  try {
    return JSON.parse(readFileSync(join(modules, 'node', 'package.json'), 'utf8')).version
  } catch {
    return undefined
  }
}

function run({ bin, args }) {
  const env = { ...process.env, SPILLWAY_TALLY: tallyFile }
  const child = spawn(process.execPath, [join(modules, bin), ...args], { cwd: root, env, stdio: 'inherit' })
  // A signal to this process alone must not leave the tests running.
  const pass = (name) => child.kill(name)
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(name, pass)
  return new Promise((done) => {
    child.once('error', (error) => {
      console.error(error.message)
      done(127)
    })
    child.once('close', (code) => {
      for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.off(name, pass)
      done(code ?? 1)
    })
  })
}

function readTally() {
  try {
    return JSON.parse(readFileSync(tallyFile, 'utf8'))
  } catch {
    return { passed: 0, failed: 0 }
  }
}
