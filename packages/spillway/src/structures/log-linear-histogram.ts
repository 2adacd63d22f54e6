// Quantiles of any number of durations within half a per cent, in constant memory and without sorting. Buckets are
// log-linear, 128 per power of two, read off the bits of the double: a record costs a few nanoseconds. The coarse fading
// histogram beside it follows a service that changes; this one forgets nothing and is for results.

const SUB_BUCKET_BITS = 7
// 2^-10 ms is a microsecond, 2^22 ms is 70 minutes. What lies outside is counted at the edge.
const EXPONENT_MIN = -10
const EXPONENT_MAX = 22
const BUCKETS = (EXPONENT_MAX - EXPONENT_MIN) << SUB_BUCKET_BITS
const FIRST_BUCKET_BITS = (1023 + EXPONENT_MIN) << SUB_BUCKET_BITS

const float = new Float64Array(1)
const words = new Uint32Array(float.buffer)
// The word that holds sign, exponent and high mantissa: the second on little-endian machines, the first on others.
const HIGH_WORD = new Uint8Array(new Uint32Array([1]).buffer)[0] === 1 ? 1 : 0

export class LogLinearHistogram {
  readonly #counts = new Uint32Array(BUCKETS)
  #count = 0
  #sum = 0
  #max = 0

  get count(): number {
    return this.#count
  }

  /** The exact mean, or 0 when empty. */
  get mean(): number {
    return this.#count === 0 ? 0 : this.#sum / this.#count
  }

  /** The exact maximum, or 0 when empty. */
  get max(): number {
    return this.#max
  }

  /** Records a duration in ms, 0 or more. */
  record(value: number): void {
    float[0] = value
    const bits = ((words[HIGH_WORD] as number) >>> (20 - SUB_BUCKET_BITS)) - FIRST_BUCKET_BITS
    const bucket = bits < 0 ? 0 : bits >= BUCKETS ? BUCKETS - 1 : bits
    this.#counts[bucket] = (this.#counts[bucket] as number) + 1
    this.#count++
    this.#sum += value
    if (value > this.#max) this.#max = value
  }

  /** Adds everything that another one has recorded. */
  merge(other: LogLinearHistogram): void {
    for (let bucket = 0; bucket < BUCKETS; bucket++) {
      this.#counts[bucket] = (this.#counts[bucket] as number) + (other.#counts[bucket] as number)
    }
    this.#count += other.#count
    this.#sum += other.#sum
    this.#max = Math.max(this.#max, other.#max)
  }

  /** The q-quantile in ms by nearest rank, 0 ≤ q ≤ 1, at the middle of its bucket; undefined when empty. */
  quantile(q: number): number | undefined {
    if (this.#count === 0) return undefined
    const rank = Math.max(1, Math.ceil(q * this.#count))
    if (rank >= this.#count) return this.#max
    let below = 0
    for (let bucket = 0; bucket < BUCKETS; bucket++) {
      below += this.#counts[bucket] as number
      if (below >= rank)
        return Math.min(this.#max, bucket === 0 ? 0 : (lowerBound(bucket) + lowerBound(bucket + 1)) / 2)
    }
    return this.#max
  }
}

function lowerBound(bucket: number): number {
  const sub = bucket & ((1 << SUB_BUCKET_BITS) - 1)
  return 2 ** ((bucket >> SUB_BUCKET_BITS) + EXPONENT_MIN) * (1 + sub / (1 << SUB_BUCKET_BITS))
}
