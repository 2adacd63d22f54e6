// What a bench is: a name, a way to run it, and what comes out of it. main.ts prints the outcome and judges its bars;
// the benches only measure.

/** How much is measured. */
export interface Settings {
  /** How often every contender is measured; the medians are over these. */
  readonly repeats: number
  /** Tiny batches: shows that everything runs, and measures nothing. */
  readonly quick: boolean
}

/** Nanoseconds an operation takes, over the repeats, and the bytes it allocates. */
export interface Row {
  readonly name: string
  readonly medianNs: number
  readonly minNs: number
  readonly maxNs: number
  readonly bytesPerOp: number
}

/** Something that was promised: `value` must not exceed `max`. */
export interface Bar {
  readonly about: string
  readonly value: number
  readonly max: number
}

export interface Outcome {
  readonly name: string
  readonly rows: readonly Row[]
  /** What is compared with what. Each is the median over the repeats of the ratio within one repeat. */
  readonly ratios: Readonly<Record<string, number>>
  readonly bars: readonly Bar[]
  /** What a reader must know to read the rows, a sentence each. */
  readonly notes: readonly string[]
}

export interface Bench {
  readonly name: string
  /** What it measures, in one line. */
  readonly about: string
  /** `progress` is told what is being measured. Throws {@link InvalidRun} when the numbers would mean nothing. */
  run(settings: Settings, progress: (text: string) => void): Promise<Outcome>
}

/** What was measured is not what the bench is about: work was refused that should have run, or the other way round. */
export class InvalidRun extends Error {}
