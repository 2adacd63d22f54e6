#!/usr/bin/env node
// The command `spillway`. Only this file touches the process: what it is given, where it writes, how it ends.

import { runCommandLine } from './command-line.ts'

const abort = new AbortController()
// The second Ctrl-C finds no listener and ends the process at once.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => abort.abort())

// A reader that closes the pipe, such as head, has seen enough.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
  process.exit()
})

process.exitCode = await runCommandLine(process.argv.slice(2), {
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
  live: process.stderr.isTTY === true,
  signal: abort.signal,
})
