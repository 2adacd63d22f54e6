// Quantiles of recent durations in constant memory. Buckets are log-linear: sixteen per power of two, so that a quantile
// is within 1/16 (6 %) of the truth before interpolation, from a microsecond to an hour. The bucket of a value is read
// off the bits of its double (exponent and the top four bits of the mantissa), which costs no logarithm. When the counts
// reach the memory they are halved: old samples fade and the histogram follows a service that changes.
// A sorted ring of the last samples was rejected: sorting it costs more than the whole rest of a decision.

const SUB_BUCKET_BITS = 4
// 2^-10 ms is a microsecond, 2^22 ms is 70 minutes. What lies outside is counted at the edge.
const EXPONENT_MIN = -10
const EXPONENT_MAX = 22
const BUCKETS = (EXPONENT_MAX - EXPONENT_MIN) << SUB_BUCKET_BITS
const FIRST_BUCKET_BITS = (1023 + EXPONENT_MIN) << SUB_BUCKET_BITS
// Half of this many samples is what the histogram remembers at least. Halved, the median of a noisy service wanders by
// 6 %; doubled, a changed service is believed five seconds late at 100/s.
const COUNT_MAX = 512

const float = new Float64Array(1)
const words = new Uint32Array(float.buffer)
// The word that holds sign, exponent and high mantissa: the second on little-endian machines, the first on others.
const HIGH_WORD = new Uint8Array(new Uint32Array([1]).buffer)[0] === 1 ? 1 : 0

export class FadingHistogram {
  readonly #counts = new Uint16Array(BUCKETS)
  #total = 0

  /** Samples now remembered: at most 512, halved whenever that is reached. */
  get count(): number {
    return this.#total
  }

  /** Records a duration in ms. What is negative or not a number counts as 0. */
  record(value: number): void {
    const bucket = bucketOf(value)
    this.#counts[bucket] = (this.#counts[bucket] as number) + 1
    this.#total++
    if (this.#total >= COUNT_MAX) this.#fade()
  }

  /** The q-quantile in ms, 0 ≤ q ≤ 1, interpolated inside its bucket; 0 when empty. */
  quantile(q: number): number {
    const rank = q * this.#total
    let below = 0
    for (let bucket = 0; bucket < BUCKETS; bucket++) {
      const count = this.#counts[bucket] as number
      if (count > 0 && below + count >= rank) {
        const low = lowerBound(bucket)
        return low + ((rank - below) / count) * (lowerBound(bucket + 1) - low)
      }
      below += count
    }
    return 0
  }

  #fade(): void {
    let total = 0
    // Every other odd one is rounded up, or samples that are alone in their bucket would all be forgotten at once.
    let odd = 0
    for (let bucket = 0; bucket < BUCKETS; bucket++) {
      const count = this.#counts[bucket] as number
      odd += count & 1
      const halved = (count >> 1) + (count & 1 & (odd & 1))
      this.#counts[bucket] = halved
      total += halved
    }
    this.#total = total
  }
}

function bucketOf(value: number): number {
  // biome-ignore lint/complexity/useMathMinMax: Math.max would let NaN through, into the last bucket.
  float[0] = value > 0 ? value : 0
  const bucket = ((words[HIGH_WORD] as number) >>> (20 - SUB_BUCKET_BITS)) - FIRST_BUCKET_BITS
  return bucket < 0 ? 0 : bucket >= BUCKETS ? BUCKETS - 1 : bucket
}

function lowerBound(bucket: number): number {
  const sub = bucket & ((1 << SUB_BUCKET_BITS) - 1)
  return 2 ** ((bucket >> SUB_BUCKET_BITS) + EXPONENT_MIN) * (1 + sub / (1 << SUB_BUCKET_BITS))
}
