// The Mersenne Twister (Matsumoto and Nishimura, 1998) exactly as CPython's `random.Random(n).random()` runs it. The tick
// model was first published as a Python program, and its figures can be reproduced to the last digit only with the same
// numbers. Everything else draws from prng.ts, which is smaller, faster and has independent streams by name.

const SIZE = 624
const PERIOD = 397

export class Mt19937 {
  readonly #state = new Uint32Array(SIZE)
  #index = SIZE

  /** `key` is what `init_by_array` of the reference implementation takes: one or more 32-bit words. */
  constructor(key: readonly number[]) {
    const state = this.#state
    state[0] = 19650218
    for (let i = 1; i < SIZE; i++) state[i] = Math.imul(1812433253, twist(state, i)) + i
    let i = 1
    let j = 0
    for (let k = Math.max(SIZE, key.length); k > 0; k--) {
      state[i] = ((state[i] as number) ^ Math.imul(twist(state, i), 1664525)) + (key[j] as number) + j
      i = next(state, i)
      j = (j + 1) % key.length
    }
    for (let k = SIZE - 1; k > 0; k--) {
      state[i] = ((state[i] as number) ^ Math.imul(twist(state, i), 1566083941)) - i
      i = next(state, i)
    }
    state[0] = 0x80000000
  }

  /** The generator of `random.Random(seed)`: the words of the integer, lowest first. `seed` is a safe integer of 0 or more. */
  static ofPython(seed: number): Mt19937 {
    const high = Math.floor(seed / 2 ** 32)
    return new Mt19937(high === 0 ? [seed] : [seed % 2 ** 32, high])
  }

  /** The next number, 0 ≤ x < 1, with 53 random bits. */
  next(): number {
    const high = this.#next32() >>> 5
    const low = this.#next32() >>> 6
    return (high * 67108864 + low) / 9007199254740992
  }

  #next32(): number {
    if (this.#index === SIZE) this.#refill()
    let word = this.#state[this.#index++] as number
    word ^= word >>> 11
    word ^= (word << 7) & 0x9d2c5680
    word ^= (word << 15) & 0xefc60000
    return (word ^ (word >>> 18)) >>> 0
  }

  #refill(): void {
    const state = this.#state
    for (let i = 0; i < SIZE; i++) {
      const mixed = ((state[i] as number) & 0x80000000) | ((state[(i + 1) % SIZE] as number) & 0x7fffffff)
      const odd = (mixed & 1) === 0 ? 0 : 0x9908b0df
      state[i] = (state[(i + PERIOD) % SIZE] as number) ^ (mixed >>> 1) ^ odd
    }
    this.#index = 0
  }
}

/** The word before, folded: the step of both seeding loops. */
function twist(state: Uint32Array, i: number): number {
  const before = state[i - 1] as number
  return before ^ (before >>> 30)
}

/** The index after `i`; past the end the last word moves to the front and counting goes on at 1. */
function next(state: Uint32Array, i: number): number {
  if (i + 1 < SIZE) return i + 1
  state[0] = state[SIZE - 1] as number
  return 1
}
