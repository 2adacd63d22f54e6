// Where things are and how they are called: the paths and the few process helpers that all scripts share. Plain
// JavaScript for Node 18, because setup runs before there is anything else.
import { spawn } from 'node:child_process'
import { createWriteStream, mkdirSync } from 'node:fs'
import { delimiter, dirname, join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = join(dirname(fileURLToPath(import.meta.url)), '..')
export const cache = join(root, '.cache')
export const modules = join(root, 'node_modules')
const windows = process.platform === 'win32'
export const nodeBinary = windows ? 'node.exe' : 'node'
export const pinnedNode = join(modules, 'node', 'bin', nodeBinary)

/** A failure that is nobody's bug: one sentence for a reader, without a stack. */
export class Unavailable extends Error {}

export function say(text) {
  process.stderr.write(`setup: ${text}\n`)
}

export function seconds(sinceMs) {
  return `${((Date.now() - sinceMs) / 1000).toFixed(1)} s`
}

/**
 * The environment without this workspace's own bin folder on PATH: `npm ci` deletes that folder while it runs, so
 * neither npm nor an install script may depend on the pinned Node inside it.
 */
export function hostEnv(node = hostNode()) {
  const env = { ...process.env }
  const pathName = Object.keys(env).find((name) => name.toUpperCase() === 'PATH') ?? 'PATH'
  const folders = (env[pathName] ?? '').split(delimiter).filter((folder) => !inside(folder, modules))
  if (!inside(node, modules)) folders.unshift(dirname(node))
  env[pathName] = folders.join(delimiter)
  return env
}

/** The Node that runs npm itself; on a second run `process.execPath` is already the pinned one. */
export function hostNode() {
  return process.env.npm_node_execpath ?? process.execPath
}

function inside(path, folder) {
  return path === folder || path.startsWith(folder + sep)
}

/** How to call the same npm that called us, or the one on PATH when nobody did; best on a Node outside node_modules. */
export function npmCommand(args, node = hostNode()) {
  const cli = process.env.npm_execpath ?? ''
  if (/npm-cli\.[cm]?js$/.test(cli) && !inside(node, modules)) return { file: node, args: [cli, ...args] }
  return { file: windows ? 'npm.cmd' : 'npm', args, shell: windows }
}

/**
 * Runs a command to its end with all it prints in a log file, and resolves to its exit code and the tail of what it
 * printed. `onStart` receives the process id as soon as there is one, `signal` ends the command early.
 */
export function runLogged({ file, args, shell = false }, { cwd = root, env, log, onStart, signal }) {
  mkdirSync(dirname(log), { recursive: true })
  const written = createWriteStream(log, { flags: 'a' })
  // A disk that is full shows in the exit code of the command; the log may stay short.
  written.on('error', () => {})
  written.write(`\n$ ${[file, ...args].join(' ')}\n`)
  const child = spawn(file, args, { cwd, env, shell, stdio: ['ignore', 'pipe', 'pipe'] })
  signal?.addEventListener('abort', () => child.kill('SIGTERM'), { once: true })
  let output = ''
  const keep = (chunk) => {
    written.write(chunk)
    output = (output + chunk).slice(-64_000)
  }
  child.stdout.on('data', keep)
  child.stderr.on('data', keep)
  return new Promise((done) => {
    child.once('spawn', () => onStart?.(child.pid))
    child.once('error', (error) => {
      written.end()
      done({ code: 127, output: output + error.message, missing: error.code === 'ENOENT' })
    })
    child.once('close', (code, killedBy) => {
      written.end()
      done({ code: code ?? 1, killedBy, output, missing: false })
    })
  })
}
