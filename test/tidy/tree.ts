// The files of the workspace as the tidy rules see them. Read from disk rather than asked from git: a file that breaks a
// rule is told of before it is committed, and a checkout without git can be tested.
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { parseSource, type Source } from './source.ts'

export interface Tree {
  /** Text of every file by its path from the root, with forward slashes. */
  readonly files: ReadonlyMap<string, string>
  /** Those among them that are code. */
  readonly sources: ReadonlyMap<string, Source>
}

// What .gitignore leaves out, and git itself.
const ignoredFolders = new Set(['.git', 'node_modules', 'dist', '.cache', 'reports', 'coverage'])
const binary = /\.(png|jpe?g|gif|ico|woff2?|pdf|zip|tgz)$/

export function treeOf(files: ReadonlyMap<string, string>): Tree {
  const sources = new Map<string, Source>()
  for (const [path, text] of files) if (/\.(ts|mjs|js)$/.test(path)) sources.set(path, parseSource(path, text))
  return { files, sources }
}

export function readTree(root: string): Tree {
  const files = new Map<string, string>()
  for (const path of pathsUnder(root)) {
    if (!binary.test(path)) files.set(relative(root, path).split(sep).join('/'), readFileSync(path, 'utf8'))
  }
  return treeOf(files)
}

function pathsUnder(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return ignoredFolders.has(entry.name) ? [] : pathsUnder(path)
    return entry.isFile() ? [path] : []
  })
}
