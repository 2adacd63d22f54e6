// Whether node_modules holds what the lock file names. The key of an installation is the lock file itself plus the
// machine, because the installed binaries are the machine's.
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { modules, root } from './workspace.mjs'

const lockFile = join(root, 'package-lock.json')
const recordFile = join(modules, '.package-lock.json')

export function dependenciesKey() {
  const declared = existsSync(lockFile) ? lockFile : join(root, 'package.json')
  const hash = createHash('sha256').update(readFileSync(declared)).digest('hex')
  return `${process.platform}-${process.arch}-${hash}`
}

/**
 * True when somebody ran `npm install` or `npm ci` by hand: npm writes its own record into node_modules as the last act
 * of an installation that went well. Then there is no reason to take the folder apart again.
 */
export function installedByHand() {
  const wanted = readPackages(lockFile)
  const found = readPackages(recordFile)
  if (wanted === undefined || found === undefined || leftOutByNpm().length > 0) return false
  return Object.entries(wanted).every(([path, want]) => {
    if (!/(^|\/)node_modules\//.test(path)) return true
    const have = found[path]
    if (have === undefined) return want.optional === true || want.devOptional === true
    const same = have.version === want.version && have.integrity === want.integrity && have.link === want.link
    return same && existsSync(join(root, path))
  })
}

/**
 * Binaries of this very machine that npm left out. They are optional, one of many for as many platforms, and npm skips
 * without a word those that do not want the Node it runs on, although they will run on another.
 */
export function leftOutByNpm() {
  const wanted = readPackages(lockFile) ?? {}
  const found = readPackages(recordFile) ?? {}
  return Object.keys(wanted).filter((path) => {
    const { os, cpu, libc, optional, devOptional } = wanted[path]
    const forSomePlatform = (optional === true || devOptional === true) && (os !== undefined || cpu !== undefined)
    if (!forSomePlatform || found[path] !== undefined) return false
    return allows(os, process.platform) && allows(cpu, process.arch) && (libc === undefined || allows(libc, libcHere()))
  })
}

/** npm's lists name what is meant, or with a `!` what is not. */
function allows(list, value) {
  if (list === undefined) return true
  const [banned, named] = [list.filter((name) => name.startsWith('!')), list.filter((name) => !name.startsWith('!'))]
  return !banned.includes(`!${value}`) && (named.length === 0 || named.includes(value))
}

function libcHere() {
  return process.report.getReport().header.glibcVersionRuntime === undefined ? 'musl' : 'glibc'
}

function readPackages(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8')).packages
  } catch {
    return undefined
  }
}
