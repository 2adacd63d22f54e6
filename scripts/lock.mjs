// Two commands started at once in one checkout must not both run `npm ci`, so set-up is done under a lock file. A holder
// writes the ids of itself and of the npm it started, and touches the file while it works; the lock counts as stale when
// all of them are gone, or when nobody has touched it for a minute (a reused process id, another machine's container).
// Rejected: flock (not in Node), a socket as a lock (leaves files behind on macOS), proper-lockfile (set-up runs before
// there are dependencies).
import { closeSync, mkdirSync, openSync, readFileSync, rmSync, statSync, utimesSync, writeSync } from 'node:fs'
import { hostname } from 'node:os'
import { dirname } from 'node:path'

// Halved, a machine that swaps for half a minute loses its lock; doubled, a crash on another machine blocks for longer.
const untouchedMs = 60_000
const touchEveryMs = 5000
const pollEveryMs = 250

/** Waits until the lock is ours; `onWait` is called once when somebody else has it. */
export async function acquireLock(path, onWait, signal) {
  mkdirSync(dirname(path), { recursive: true })
  let told = false
  while (!create(path)) {
    if (isStale(path) && takeOver(path)) continue
    if (!told) onWait()
    told = true
    await new Promise((wake) => setTimeout(wake, pollEveryMs))
    signal.throwIfAborted()
  }
  return new HeldLock(path)
}

class HeldLock {
  constructor(path) {
    this.path = path
    this.touching = setInterval(() => touch(path), touchEveryMs)
    this.touching.unref()
  }

  /** The child outlives us when we are killed outright; while it works the lock must hold. */
  addProcess(pid) {
    write(openSync(this.path, 'w'), [process.pid, pid])
  }

  release() {
    clearInterval(this.touching)
    if (holder(this.path)?.pids[0] === process.pid) rmSync(this.path, { force: true })
  }
}

function create(path) {
  try {
    write(openSync(path, 'wx'), [process.pid])
    return true
  } catch (error) {
    if (error.code === 'EEXIST') return false
    throw error
  }
}

function write(file, pids) {
  writeSync(file, JSON.stringify({ host: hostname(), pids }))
  closeSync(file)
}

function touch(path) {
  try {
    utimesSync(path, new Date(), new Date())
  } catch {
    // Somebody removed the file by hand; the next run will start over.
  }
}

function isStale(path) {
  try {
    if (Date.now() - statSync(path).mtimeMs > untouchedMs) return true
    const held = holder(path)
    // An unreadable file is one that is being written this moment; if its writer died, the minute above decides.
    return held !== undefined && held.host === hostname() && !held.pids.some(isAlive)
  } catch {
    // Released between the two calls: the next attempt to create it decides.
    return false
  }
}

/** Only one of several waiters may remove a stale lock, or the slower one would remove the faster one's fresh lock. */
function takeOver(path) {
  const claim = `${path}.takeover`
  if (!create(claim)) {
    // A waiter that died between these lines leaves its claim behind.
    if (Date.now() - statSync(claim, { throwIfNoEntry: false })?.mtimeMs > untouchedMs) rmSync(claim, { force: true })
    return false
  }
  if (isStale(path)) rmSync(path, { force: true })
  rmSync(claim, { force: true })
  return true
}

function holder(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return undefined
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}
