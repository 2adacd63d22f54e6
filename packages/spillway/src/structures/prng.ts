// Seeded random numbers with independent streams by name: a policy's own draws must not shift the workload's, or two
// policies compared on one seed would not meet the same arrivals. The generator is sfc32 (Chris Doty-Humphrey,
// PractRand): 128 bits of state, passes PractRand, a few nanoseconds a draw. The state is filled from seed and name by
// FNV-1a over their characters, then mixed by running the generator.

// Fewer rounds leave streams whose seeds differ in one bit visibly correlated.
const MIXING_ROUNDS = 16

export class SeededStream {
  #a: number
  #b: number
  #c: number
  #counter = 1

  /** A stream that is a function of the seed and the name alone. */
  constructor(seed: number, name: string) {
    this.#a = fnv1a(`${seed}/${name}`, 0x811c9dc5)
    this.#b = fnv1a(`${name}/${seed}`, this.#a)
    this.#c = fnv1a(`${seed}`, this.#b)
    for (let round = 0; round < MIXING_ROUNDS; round++) this.#next32()
  }

  /** The next number, 0 ≤ x < 1, with 53 random bits. */
  next(): number {
    const high = this.#next32() >>> 5
    const low = this.#next32() >>> 6
    return (high * 67108864 + low) / 9007199254740992
  }

  #next32(): number {
    const sum = (this.#a + this.#b + this.#counter) | 0
    this.#counter = (this.#counter + 1) | 0
    this.#a = this.#b ^ (this.#b >>> 9)
    this.#b = (this.#c + (this.#c << 3)) | 0
    this.#c = (((this.#c << 21) | (this.#c >>> 11)) + sum) | 0
    return sum >>> 0
  }
}

/** FNV-1a over UTF-16 code units, 32 bits. Not for secrets. */
export function fnv1a(text: string, offset: number): number {
  let hash = offset | 0
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  return hash
}
