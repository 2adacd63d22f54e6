// The house rules that a machine can check, over the whole workspace; and each rule over a small set of files that breaks
// it, so that no rule can pass because it sees nothing.
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { broken, sound } from './tidy/cases.ts'
import { check, rules } from './tidy/rules.ts'
import { readTree, treeOf } from './tidy/tree.ts'

const root = join(fileURLToPath(import.meta.url), '..', '..')

describe('the workspace', () => {
  const tree = readTree(root)

  it('is seen in full', () => {
    expect([...tree.sources.keys()]).toEqual(
      expect.arrayContaining([
        'packages/spillway/src/index.ts',
        'packages/spillway/src/core/admission.ts',
        'scripts/setup.mjs',
        'test/tidy.test.ts',
      ]),
    )
  })

  it.each(rules)('keeps the rule: $name', (rule) => {
    expect(check(tree, [rule])).toEqual([])
  })

  it('declares the same dependencies in every package.json and in the lock file', () => {
    const lock = json(tree.files.get('package-lock.json'))
    const packages = lock.packages as Record<string, Record<string, unknown>>
    for (const [path, text] of tree.files) {
      if (!/^([\w-]+\/){0,2}package\.json$/.test(path)) continue
      const locked = packages[path.replace(/\/?package\.json$/, '')] ?? {}
      const declared = json(text)
      for (const kind of ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies']) {
        expect({ path, [kind]: locked[kind] }).toEqual({ path, [kind]: declared[kind] })
      }
    }
  })
})

describe('a rule', () => {
  it('has a case that breaks it', () => {
    expect(new Set(broken.map(({ rule }) => rule))).toEqual(new Set(rules.map(({ name }) => name)))
  })

  it.each(broken)('$rule: finds $what', ({ rule, files, at }) => {
    const findings = check(treeOf(new Map(Object.entries(files))), chosen(rule))
    expect(findings.map((finding) => finding.split(' ', 1)[0])).toEqual(at)
    for (const finding of findings) expect(finding).toContain(` ${rule}: `)
  })

  it.each(sound)('$rule: accepts $what', ({ rule, files }) => {
    expect(check(treeOf(new Map(Object.entries(files))), chosen(rule))).toEqual([])
  })
})

function chosen(name: string) {
  const rule = rules.find((each) => each.name === name)
  if (rule === undefined) throw new Error(`there is no rule "${name}"`)
  return [rule]
}

function json(text: string | undefined): Record<string, unknown> {
  return JSON.parse(text ?? '{}') as Record<string, unknown>
}
