// Logarithm and exponential from additions, multiplications and divisions alone. IEEE 754 fixes those to the last bit,
// while Math.log, Math.exp and Math.pow are the engine's own and have changed between versions of V8: one bit there, and
// the same seed gives another trace. Both are within two units in the last place, which is all that sampling needs.

const LN2_HIGH = 0.6931471803691238
const LN2_LOW = 1.9082149292705877e-10

const float = new Float64Array(1)
const words = new Uint32Array(float.buffer)
// Which of the two words holds sign and exponent depends on the machine.
const HIGH_WORD = new Uint8Array(new Uint32Array([1]).buffer)[0] === 1 ? 1 : 0

/** Natural logarithm of a positive normal number; −Infinity at 0, NaN below. */
export function ln(x: number): number {
  if (!(x > 0)) return x === 0 ? -Infinity : Number.NaN
  if (x === Infinity) return Infinity
  float[0] = x
  const high = words[HIGH_WORD] as number
  let exponent = (high >>> 20) - 1022
  words[HIGH_WORD] = (high & 0x000fffff) | 0x3fe00000
  // x = mantissa × 2^exponent with mantissa in [½, 1), moved to [√½, √2) so that the series below converges quickly.
  let mantissa = float[0]
  if (mantissa < Math.SQRT1_2) {
    mantissa *= 2
    exponent--
  }
  // ln m = 2 artanh((m − 1)/(m + 1)) = 2(s + s³/3 + s⁵/5 + …), |s| < 0.172: ten terms leave less than 10^-17.
  const s = (mantissa - 1) / (mantissa + 1)
  const z = s * s
  const tail =
    z *
    (1 / 3 +
      z * (1 / 5 + z * (1 / 7 + z * (1 / 9 + z * (1 / 11 + z * (1 / 13 + z * (1 / 15 + z * (1 / 17 + z / 19))))))))
  return exponent * LN2_HIGH + (2 * s + (2 * s * tail + exponent * LN2_LOW))
}

/** e to the power x. */
export function exp(x: number): number {
  if (Number.isNaN(x)) return x
  if (x > 709.7) return Infinity
  if (x < -708) return 0
  const exponent = Math.floor(x * Math.LOG2E + 0.5)
  const r = x - exponent * LN2_HIGH - exponent * LN2_LOW
  // Taylor to r¹³ for |r| < 0.347, innermost term first.
  let sum = 1
  for (let n = 13; n >= 1; n--) sum = 1 + (sum * r) / n
  float[0] = sum
  words[HIGH_WORD] = ((words[HIGH_WORD] as number) + exponent * 0x100000) >>> 0
  return float[0]
}

/** `base` to the power `exponent`, for a positive base. */
export function power(base: number, exponent: number): number {
  return exp(exponent * ln(base))
}
