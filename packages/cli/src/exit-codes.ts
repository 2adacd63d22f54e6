// What a command says to the shell. The same four everywhere, so that CI can tell a service that does not hold from a
// mistyped flag and from a run that proves nothing.

export const exitCodes = { holds: 0, doesNotHold: 1, badInput: 2, invalid: 3 } as const

/** A fault of ours, with a stack: none of the four, so that CI does not take it for a verdict (EX_SOFTWARE of sysexits). */
export const fault = 70

/** What a shell expects of a process that was interrupted: 128 and the number of the signal. */
export const interrupted = 130

export const exitCodeHelp = `
Exit codes:
  0  holds
  1  does not hold
  2  bad input
  3  the run is INVALID and says nothing`
