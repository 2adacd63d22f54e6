// The work of `npm run setup`: dependencies, the pinned Node, the built library, each only when it is missing or out of
// date. What was done is remembered in a stamp inside node_modules, written last, so that an installation that was
// interrupted has no stamp and is done again, and one that is complete costs a few file reads.
import { spawnSync } from 'node:child_process'
import * as fs from 'node:fs'
import { dirname, join } from 'node:path'
import { dependenciesKey, installedByHand, leftOutByNpm } from './dependencies.mjs'
import { buildKey, removeOrphans } from './library.mjs'
import { acquireLock } from './lock.mjs'
import { explainNpmFailure } from './npm-failure.mjs'
import {
  cache,
  hostEnv,
  hostNode,
  modules,
  nodeBinary,
  npmCommand,
  pinnedNode,
  root,
  runLogged,
  say,
  seconds,
  Unavailable,
} from './workspace.mjs'

const { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, statfsSync, statSync, writeFileSync } = fs

const stampFile = join(modules, '.spillway-setup.json')
const logFile = join(cache, 'setup.log')
const logName = '.cache/setup.log'
// What an installation was measured to take (485 MB).
const neededMb = 500

/**
 * Resolves to the exit code: 0 when everything is in place, 1 when something cannot be had, 128 + n on a signal. The
 * tests come without the build, because there a library that does not compile is a finding of theirs.
 */
export async function provision({ build }) {
  if (isReady(readStamp(), build)) return 0
  const interruption = new AbortController()
  const numbers = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 }
  for (const name of Object.keys(numbers)) process.once(name, () => interruption.abort(name))
  const { signal } = interruption
  let lock
  try {
    lock = await acquireLock(
      join(cache, 'setup.lock'),
      () => say('another command is setting up; waiting for it'),
      signal,
    )
    await provisionLocked({ build, lock, signal })
    return 0
  } catch (error) {
    if (signal.aborted) return 128 + numbers[signal.reason]
    say(sentence(error))
    return 1
  } finally {
    lock?.release()
  }
}

function sentence(error) {
  if (error instanceof Unavailable) return error.message
  if (error.code === 'ENOSPC') return `${diskFull(freeDiskMb())}: free some space, then try again.`
  if (error.syscall !== undefined) return `a file of the checkout cannot be used: ${error.message}.`
  return error.stack
}

async function provisionLocked({ build, lock, signal }) {
  const began = Date.now()
  let stamp = readStamp()
  if (isReady(stamp, build)) return
  if (!isInstalled(stamp)) {
    // Until all is done nobody may take the folder for complete.
    rmSync(stampFile, { force: true })
    if (!installedByHand()) await installDependencies(lock, signal)
    await ensurePinnedNode(lock, signal)
    await installLeftOut(lock, signal)
    stamp = { dependencies: dependenciesKey(), nodeBytes: statSync(pinnedNode).size }
    writeFileSync(stampFile, JSON.stringify(stamp))
  }
  if (build && !isBuilt(stamp)) {
    // Read before the compiler starts: an edit made while it runs is then seen by the next set-up.
    const library = buildKey()
    await buildLibrary(lock, signal)
    writeFileSync(stampFile, JSON.stringify({ ...stamp, library }))
  }
  say(`ready after ${seconds(began)}`)
}

function readStamp() {
  try {
    return JSON.parse(readFileSync(stampFile, 'utf8'))
  } catch {
    return undefined
  }
}

function isReady(stamp, build) {
  return isInstalled(stamp) && (!build || isBuilt(stamp))
}

function isInstalled(stamp) {
  if (stamp === undefined || stamp.dependencies !== dependenciesKey()) return false
  const size = statSync(pinnedNode, { throwIfNoEntry: false })?.size
  return size === stamp.nodeBytes && isLinked()
}

function isBuilt(stamp) {
  const dist = join(root, 'packages', 'spillway', 'dist')
  if (stamp.library !== buildKey()) return false
  return existsSync(join(dist, 'index.js')) && existsSync(join(dist, '.tsbuildinfo'))
}

function isLinked() {
  return existsSync(join(modules, '.bin', nodeBinary))
}

async function installDependencies(lock, signal) {
  const verb = existsSync(join(root, 'package-lock.json')) ? 'ci' : 'install'
  await step(`installing dependencies (npm ${verb}), about half a minute`, 'dependencies installed', async () => {
    // Without a network npm tries every one of some 300 packages three times, which takes many minutes; one question
    // asked first takes seconds. An installation from npm's cache may still succeed.
    const probe = await npm(['view', 'node', 'name', '--fetch-retry-mintimeout=1000'], lock, signal)
    if (probe.code !== 0) say('  the npm registry cannot be asked; trying the cache of npm')
    const freeMb = freeDiskMb()
    const result = await npm(probe.code === 0 ? [verb] : [verb, '--offline'], lock, signal)
    if (result.code === 0) return
    // npm unpacks into a full disk without a word and stumbles over the pieces, so its own reason would mislead.
    const reason = freeMb < neededMb ? diskFull(freeMb) : explainNpmFailure(probe.code === 0 ? result : probe)
    throw new Unavailable(`the dependencies cannot be installed: ${reason}. All that npm printed is in ${logName}.`)
  })
}

/** Installs once more, with npm on the pinned Node, when npm left out binaries because of the host's. */
async function installLeftOut(lock, signal) {
  if (leftOutByNpm().length === 0) return
  await step(
    'installing again on the pinned Node: some packages refuse the one of this machine',
    'installed',
    async () => {
      // A copy, because npm deletes the original while it runs.
      const node = join(cache, 'setup-node', nodeBinary)
      mkdirSync(dirname(node), { recursive: true })
      rmSync(node, { force: true })
      copyFileSync(pinnedNode, node)
      const env = hostEnv(node)
      const result = await run(npmCommand(['ci', ...whole], node), { env, lock, signal })
      rmSync(dirname(node), { recursive: true, force: true })
      if (result.code === 0) return
      throw new Unavailable(
        `the dependencies cannot be installed on the pinned Node: ${explainNpmFailure(result)}. ` +
          `All that npm printed is in ${logName}.`,
      )
    },
  )
  await ensurePinnedNode(lock, signal)
}

function freeDiskMb() {
  // Node 18.0 to 18.14 cannot ask.
  if (statfsSync === undefined) return Number.POSITIVE_INFINITY
  const { bavail, bsize } = statfsSync(root)
  return Math.floor((bavail * bsize) / 1e6)
}

function diskFull(freeMb) {
  return `the disk has ${freeMb} MB free and about ${neededMb} MB are needed`
}

// Whatever the caller's settings and flags are, this must be a whole and quiet installation: NODE_ENV=production would
// leave out the pinned Node, `npm test --json` would change what npm prints.
const whole = [
  ['--include=dev', '--include=optional', '--include=peer', '--engine-strict=false', '--global=false'],
  ['--dry-run=false', '--json=false', '--package-lock-only=false', '--loglevel=error', '--no-audit', '--no-fund'],
].flat()

function npm(args, lock, signal) {
  return run(npmCommand([...args, ...whole]), { lock, signal })
}

async function run(command, { cwd = root, env = hostEnv(), lock, signal }) {
  const onStart = (pid) => lock.addProcess(pid)
  const result = await runLogged(command, { cwd, env, log: logFile, onStart, signal })
  signal.throwIfAborted()
  return result
}

/**
 * The package `node` fetches its binary in an install script, which npm's policy, `--ignore-scripts` or an old npm may
 * have skipped. Then the script is run by itself.
 */
async function ensurePinnedNode(lock, signal) {
  const { version } = JSON.parse(readFileSync(join(modules, 'node', 'package.json'), 'utf8'))
  if (nodeProblem(version) === undefined) return say(`Node ${version} works`)
  await step(`fetching Node ${version}`, `Node ${version} fetched`, async () => {
    const script = { file: hostNode(), args: ['installArchSpecificPackage.js'] }
    // The script calls npm, which must not wait for minutes nor keep its reasons to itself (`npm start --silent`).
    const env = { ...hostEnv(), npm_config_loglevel: 'error', npm_config_fetch_retry_mintimeout: '1000' }
    env.npm_config_fetch_retry_maxtimeout = '5000'
    const result = await run(script, { cwd: join(modules, 'node'), env, lock, signal })
    if (result.code === 0 && !isLinked()) await npm(['rebuild', 'node', '--ignore-scripts'], lock, signal)
    const problem = nodeProblem(version)
    if (problem === undefined) return
    // A broken Node on PATH would stand in the way of the next attempt, which has to start on the host's.
    rmSync(join(modules, '.bin', nodeBinary), { force: true })
    const because = result.code === 0 ? problem : explainNpmFailure(result)
    throw new Unavailable(
      `Node ${version} from the npm package "node" cannot be had on ${process.platform}-${process.arch}: ${because}. ` +
        `All that was printed is in ${logName}.`,
    )
  })
}

function nodeProblem(version) {
  const { stdout, stderr, error } = spawnSync(pinnedNode, ['-v'], { encoding: 'utf8' })
  if (error !== undefined) return `it does not start (${error.code})`
  if (stdout.trim() !== `v${version}`) return `it does not run (${(stderr || stdout).trim().split('\n')[0]})`
  return isLinked() ? undefined : 'npm did not link it into node_modules/.bin'
}

async function buildLibrary(lock, signal) {
  await step('building the library (tsc -b)', 'library built', async () => {
    const compiler = join(modules, 'typescript', 'bin', 'tsc')
    const command = { file: pinnedNode, args: [compiler, '-b', join('packages', 'spillway')] }
    const result = await run(command, { lock, signal })
    if (result.code !== 0) {
      process.stderr.write(result.output)
      throw new Unavailable('the library does not compile: what tsc found is above.')
    }
    removeOrphans()
  })
}

/** Says what begins, that it still goes on, and how long it took. */
async function step(begins, ended, work) {
  const began = Date.now()
  say(begins)
  const still = setInterval(() => say(`  still at it after ${seconds(began)}`), 10_000)
  try {
    await work()
  } finally {
    clearInterval(still)
  }
  say(`${ended} in ${seconds(began)}`)
}
