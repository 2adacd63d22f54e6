import { expect, test } from 'vitest'
import { helpOf, parseFlags } from './flags.ts'
import { mainFlags, serveFlags } from './options.ts'

test('without flags everything has its default', () => {
  expect(parseFlags(mainFlags, []).values).toEqual({
    resource: 'pool',
    seed: 1,
    quick: false,
    json: false,
    html: undefined,
    help: false,
  })
})

test('flags are read in both spellings', () => {
  const { values } = parseFlags(mainFlags, ['--resource=cpu', '--seed', '42', '--quick', '--html', 'x.html'])
  expect(values).toMatchObject({ resource: 'cpu', seed: 42, quick: true, html: 'x.html' })
})

test('zero is a value', () => {
  expect(parseFlags(mainFlags, ['--seed', '0']).values?.seed).toBe(0)
  expect(parseFlags(serveFlags, ['--port', '0']).values?.port).toBe(0)
})

test('all problems are reported at once, each with the flag, what came and what would be right', () => {
  const { problems } = parseFlags(mainFlags, ['--resource', 'disk', '--seed', '-1', '--fast', 'now', '--json=yes'])
  expect(problems).toEqual([
    'unknown flag --fast; flags are --resource, --seed, --quick, --json, --html, --help',
    'unexpected argument "now"; flags are --resource, --seed, --quick, --json, --html, --help',
    '--json takes no value, got "yes"',
    '--resource must be one of pool, cpu, postgres, got "disk"',
    '--seed must be a whole number from 0 to 4294967295, got "-1"',
  ])
})

test.each(['', '1.5', '1e3', '0x10', 'NaN', '4294967296', ' 1'])('a seed of %j is refused', (text) => {
  expect(parseFlags(mainFlags, [`--seed=${text}`]).problems).toHaveLength(1)
})

test('a port must be one that exists', () => {
  expect(parseFlags(serveFlags, ['--port', '65536']).problems).toEqual([
    '--port must be a whole number from 0 to 65535, got "65536"',
  ])
})

test('a forgotten value is noticed, and not made up from the next flag', () => {
  expect(parseFlags(mainFlags, ['--html', '--quick']).problems).toEqual([
    '--html must be followed by a file, got "--quick"',
  ])
  expect(parseFlags(mainFlags, ['--seed']).problems).toHaveLength(1)
})

test('a flag that is given twice is a contradiction', () => {
  expect(parseFlags(mainFlags, ['--seed', '1', '--seed', '2']).problems).toEqual([
    '--seed was given twice; give it once',
  ])
})

test('a name from the language itself is no flag', () => {
  expect(parseFlags(mainFlags, ['--constructor', 'x']).problems).toHaveLength(2)
})

test('the help names every flag', () => {
  const help = helpOf(mainFlags, 'npm start', 'About.')
  for (const name of Object.keys(mainFlags)) expect(help).toContain(`--${name}`)
})
