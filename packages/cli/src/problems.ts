// Everything that is wrong with a command line, said at once: fixing flags one error at a time is how an afternoon goes.

/** Input that cannot be used. Ends a command with exit code 2 and without a stack. */
export class BadInput extends Error {
  /** Which command it was given to, such as `spillway sim`. */
  readonly command: string

  constructor(command: string, problems: readonly string[]) {
    super(problems.join('; '))
    this.name = 'BadInput'
    this.command = command
  }
}

/** The name that was probably meant: one that contains the other, or differs in at most two places. */
export function closest(name: string, known: readonly string[]): string | undefined {
  const wanted = name.toLowerCase()
  return known
    .map((candidate) => ({ candidate, apart: distance(wanted, candidate.toLowerCase()) }))
    .filter(({ candidate, apart }) => apart <= 2 || (wanted.length > 2 && candidate.toLowerCase().includes(wanted)))
    .sort((a, b) => a.apart - b.apart)[0]?.candidate
}

export function quote(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text)
}

/** Levenshtein: how many letters to change, add or leave out. */
function distance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let row = 1; row <= a.length; row++) {
    const current = [row]
    for (let column = 1; column <= b.length; column++) {
      const changed = (previous[column - 1] as number) + (a[row - 1] === b[column - 1] ? 0 : 1)
      current[column] = Math.min((previous[column] as number) + 1, (current[column - 1] as number) + 1, changed)
    }
    previous = current
  }
  return previous[b.length] as number
}
