// Random numbers by name instead of by turn: draw n of key k is a function of seed, stream name, n and k alone. What a
// request needs of a service must not depend on who was served before it, or two policies compared on one seed would not
// meet the same work. A sequential generator per request was rejected: filling its state costs more than the draw.
// The bits come from two rounds of a finaliser over the counter and the key (murmur3's fmix32, Austin Appleby), which is
// a bijection: distinct keys cannot collide before the second round.

export class KeyedDraws {
  readonly #seedA: number
  readonly #seedB: number
  #base = 0
  #counter = 0

  /** Two whole numbers that stand for seed and stream. */
  constructor(seedA: number, seedB: number) {
    this.#seedA = mix(seedA)
    this.#seedB = mix(seedB ^ this.#seedA)
  }

  /** Goes to the draws of one key and sub-key (whole numbers): the same numbers follow, whenever that is. */
  seek(key: number, subKey = 0): void {
    this.#base = mix(mix(key + this.#seedA) ^ (Math.imul(subKey, 0x9e3779b1) + this.#seedB))
    this.#counter = 0
  }

  /** The next number of the current key, 0 ≤ x < 1, with 53 random bits. */
  next(): number {
    this.#counter = (this.#counter + 0x9e3779b1) | 0
    const high = mix(this.#base + this.#counter) >>> 5
    this.#counter = (this.#counter + 0x9e3779b1) | 0
    const low = mix((this.#base ^ this.#seedA) + this.#counter) >>> 6
    return (high * 67108864 + low) / 9007199254740992
  }
}

function mix(value: number): number {
  let h = value | 0
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
  return h ^ (h >>> 16)
}
