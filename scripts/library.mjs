// Whether packages/spillway/dist is what its sources say. A `tsc -b` that has nothing to do takes a third of a second, a
// look at sizes and times a few milliseconds, and set-up runs before every command.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './workspace.mjs'

const library = join(root, 'packages', 'spillway')

export function buildKey() {
  const sources = filesUnder(join(library, 'src')).filter((path) => !path.endsWith('.test.ts'))
  const settings = [join(root, 'tsconfig.base.json'), join(library, 'tsconfig.json'), join(library, 'package.json')]
  const hash = createHash('sha256')
  for (const path of [...sources.sort(), ...settings]) {
    const { size, mtimeMs } = statSync(path)
    hash.update(`${path} ${size} ${mtimeMs}\n`)
  }
  return hash.digest('hex')
}

/** A source that was removed or renamed leaves its output in dist, where it would be published. */
export function removeOrphans() {
  const dist = join(library, 'dist')
  for (const path of filesUnder(dist)) {
    const source = path.replace(dist, join(library, 'src')).replace(/(\.d)?\.(ts|js)$/, '.ts')
    if (/\.(ts|js)$/.test(path) && !existsSync(source)) rmSync(path)
  }
}

function filesUnder(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    return entry.isDirectory() ? filesUnder(path) : [path]
  })
}
