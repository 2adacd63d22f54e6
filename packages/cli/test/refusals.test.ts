// What `spillway sim` says to input that cannot be used. Nothing runs, so no process is needed.
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { runCommandLine } from '../src/command-line.ts'

const catalogue = fileURLToPath(new URL('./catalogue.ts', import.meta.url))

async function spillway(args: readonly string[]) {
  let out = ''
  let err = ''
  const exitCode = await runCommandLine(args, {
    out: (text) => {
      out += text
    },
    err: (text) => {
      err += text
    },
    live: false,
    signal: new AbortController().signal,
  })
  return { exitCode, out, err }
}

function sim(...args: readonly string[]) {
  return spillway(['sim', ...args, '--from', catalogue])
}

describe('spillway', () => {
  it('says what it can do', async () => {
    const { exitCode, out, err } = await spillway([])
    expect({ exitCode, err }).toEqual({ exitCode: 0, err: '' })
    expect(out).toContain('Usage: spillway')
    expect(out).toContain('sim [options] [words...]')
    expect(out).toContain('3  the run is INVALID')
  })

  it('refuses a command that it does not have', async () => {
    const { exitCode, err } = await spillway(['simulate'])
    expect(exitCode).toBe(2)
    expect(err).toMatch(/^spillway: unknown command 'simulate'/)
  })
})

describe('spillway sim', () => {
  it('explains itself with examples', async () => {
    const { exitCode, out } = await spillway(['sim', '--help'])
    expect(exitCode).toBe(0)
    for (const words of [
      '--policy [name...]',
      '--seeds [n]',
      '--report [file.html]',
      'spillway sim compare',
      'Exit codes',
    ]) {
      expect(out).toContain(words)
    }
  })

  it('lists the scenarios', async () => {
    const { exitCode, out } = await sim()
    expect(exitCode).toBe(0)
    expect(out).toContain('T01   holds    Ten times the capacity')
    expect(out).toContain('Policies: default, unprotected, fifo')
    const json = JSON.parse((await sim('--json')).out) as { scenarios: object[] }
    expect(json.scenarios[0]).toMatchObject({ id: 'T01', name: 'holds', policies: ['default', 'unprotected'] })
  })

  it('reports everything that is wrong with its input at once', async () => {
    const { exitCode, out, err } = await sim('T0', '--seeds', 'many', '--policy', 'unprotect', '--sed', '3', '--report')
    expect({ exitCode, out }).toEqual({ exitCode: 2, out: '' })
    expect(err).toMatch(/^spillway sim: .*\nRun spillway sim --help for what it takes\.\n$/)
    for (const problem of [
      'there is no flag --sed; did you mean --seed?',
      '--seeds must be a whole number from 1 to 10000, got "many"',
      '--report must be followed by a file, got nothing',
      'there is no scenario "T0"; did you mean T01?',
      'there is no policy "unprotect"; did you mean unprotected?',
    ]) {
      expect(err).toContain(problem)
    }
  })

  it.each([
    [['T01', '--seeds', '0'], '--seeds must be a whole number from 1 to 10000, got "0"'],
    [['T01', '--seeds'], '--seeds must be a whole number from 1 to 10000, got nothing'],
    [['T01', '--seed', '1e3'], '--seed must be a whole number'],
    [['T01', '--seed', '1', '--seed', '2'], '--seed was given 2 times; give it once'],
    [['T01', '--json=yes'], '--json takes no value, got "yes"'],
    [['T01', '--zebra'], 'there is no flag --zebra; there are --policy, --seeds, --seed, --json, --report, --from'],
    [['T01', '--policy'], '--policy must be followed by a name, got nothing'],
    [['--seed', '4'], '--seed needs a scenario'],
    [['--policy', 'default', 'T01'], '--policy needs a scenario'],
    [['T01', '--policy', 'default', 'T02'], 'put scenarios first'],
    [['all', 'T01'], 'all stands alone'],
    [['compare', 'default'], 'compare takes two policies, or two scenarios'],
    [['compare', 'default', 'default'], 'two different policies'],
    [['compare', 'T01', 'T01'], 'two different scenarios'],
    [['compare', 'T01', 'T02', 'T03'], 'two scenarios and no more, got "T03" as well'],
    [['compare', 'default', 'nobody'], '"nobody" is neither a policy nor a scenario'],
    [['compare', 'default', 'fifo', '--policy', 'default'], '--policy does not go with compare'],
    [['tick', 'tock', '--seeds', '3'], '--seeds does not go with tick'],
    [['tick', 'tock'], 'tick takes nothing but --json, got tock'],
  ])('refuses %j', async (args, problem) => {
    const { exitCode, out, err } = await sim(...args)
    expect({ exitCode, out }).toEqual({ exitCode: 2, out: '' })
    expect(err).toContain(problem)
  })

  it.each(['nowhere.ts', fileURLToPath(new URL('../src/exit-codes.ts', import.meta.url))])(
    'refuses %s as a catalogue',
    async (module) => {
      const { exitCode, err } = await spillway(['sim', '--from', module])
      expect(exitCode).toBe(2)
      expect(err).toContain('--from')
    },
  )
})
