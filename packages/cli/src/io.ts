// Where a command writes: results to stdout, everything about the way there to stderr, so that --json can be piped.

export interface Io {
  readonly out: (text: string) => void
  readonly err: (text: string) => void
  /** Whether stderr is a terminal, on which a line can be written over. */
  readonly live: boolean
  /** Ends long work: the user has interrupted it. */
  readonly signal: AbortSignal
}
