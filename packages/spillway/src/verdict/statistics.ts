// How far a number from a few runs can be trusted. Overload is bistable: one seed of ten may stay down while the others
// recover, so a mean alone, or a proportion without its interval, says nothing. Student's t for means of replications,
// Wilson's score interval for proportions (E. B. Wilson, 1927): the usual normal interval claims certainty at 0 of 30.
// The two distribution functions are inverted by bisection, which is exact and short; nobody calls them in a loop.

/** A confidence interval. */
export interface Bounds {
  readonly low: number
  readonly high: number
}

/** The mean; NaN of nothing, so that an empty measure can never pass a comparison. */
export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

/** Unbiased sample variance; NaN below two values. */
export function variance(values: readonly number[]): number {
  if (values.length < 2) return NaN
  const middle = mean(values)
  return values.reduce((sum, value) => sum + (value - middle) ** 2, 0) / (values.length - 1)
}

/** The q-quantile, 0 ≤ q ≤ 1, linear between the two nearest ranks; undefined of nothing. */
export function quantile(values: readonly number[], q: number): number | undefined {
  const sorted = Float64Array.from(values).sort()
  if (sorted.length === 0) return undefined
  const rank = q * (sorted.length - 1)
  const below = sorted[Math.floor(rank)] as number
  const above = sorted[Math.ceil(rank)] as number
  return below + (rank - Math.floor(rank)) * (above - below)
}

/** Student-t interval for the mean of independent replications; undefined below two of them. */
export function meanInterval(values: readonly number[], confidence = 0.95): Bounds | undefined {
  if (values.length < 2) return undefined
  const half = studentQuantile((1 + confidence) / 2, values.length - 1) * Math.sqrt(variance(values) / values.length)
  return { low: mean(values) - half, high: mean(values) + half }
}

/** Wilson interval for `successes` of `trials`; everything is possible, 0 to 1, without trials. */
export function wilsonInterval(successes: number, trials: number, confidence = 0.95): Bounds {
  if (trials === 0) return { low: 0, high: 1 }
  const z = normalQuantile((1 + confidence) / 2)
  const share = successes / trials
  const scale = 1 + z ** 2 / trials
  const middle = (share + z ** 2 / (2 * trials)) / scale
  const half = (z / scale) * Math.sqrt((share * (1 - share)) / trials + z ** 2 / (4 * trials ** 2))
  // The ends are exactly 0 and 1 at none and all, which rounding would miss by 1e-17.
  return {
    low: successes === 0 ? 0 : Math.max(0, middle - half),
    high: successes === trials ? 1 : Math.min(1, middle + half),
  }
}

/** The standard normal value below which a share `p` lies, 0 < p < 1. */
export function normalQuantile(p: number): number {
  return invert(normalBelow, p, 8)
}

/** The value of Student's t with `df` degrees of freedom below which a share `p` lies, 0 < p < 1. */
export function studentQuantile(p: number, df: number): number {
  // Tails with one degree of freedom are those of Cauchy: at p = 1 − 1e-6 the value is 318 310.
  return invert((t) => studentBelow(t, df), p, 1e7)
}

/** Where a rising function that is point-symmetric about (0, ½) reaches `p`, within ± `bound`. */
function invert(below: (value: number) => number, p: number, bound: number): number {
  let low = -bound
  let high = bound
  for (let step = 0; step < 200 && high - low > Number.EPSILON * Math.abs(high + low); step++) {
    const middle = (low + high) / 2
    if (middle === low || middle === high) break
    if (below(middle) < p) low = middle
    else high = middle
  }
  return (low + high) / 2
}

/** Φ(z), by Marsaglia's series ½ + φ(z)(z + z³/3 + z⁵/15 + …), which has no cancellation. */
function normalBelow(z: number): number {
  let term = z
  let sum = z
  for (let k = 3; Math.abs(term) > Number.EPSILON * Math.abs(sum); k += 2) {
    term *= z ** 2 / k
    sum += term
  }
  return 0.5 + (sum * Math.exp(-(z ** 2) / 2)) / Math.sqrt(2 * Math.PI)
}

function studentBelow(t: number, df: number): number {
  // Counted from the middle: the complement df / (df + t²) rounds to 1 where t is small.
  return 0.5 + (Math.sign(t) * betaBelow(t ** 2 / (df + t ** 2), 0.5, df / 2)) / 2
}

/** The regularized incomplete beta function, by its continued fraction on the side where that converges quickly. */
function betaBelow(x: number, a: number, b: number): number {
  if (x <= 0 || x >= 1) return x <= 0 ? 0 : 1
  if (x > (a + 1) / (a + b + 2)) return 1 - betaBelow(1 - x, b, a)
  const front = Math.exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log1p(-x)) / a
  // Evaluated by Lentz's method: numerator and denominator are kept apart from zero.
  const apart = (value: number) => (Math.abs(value) < 1e-300 ? 1e-300 : value)
  let c = 1
  let d = 1 / apart(1 - ((a + b) * x) / (a + 1))
  let fraction = d
  for (let m = 1; m <= 500; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m))
    d = 1 / apart(1 + even * d)
    c = apart(1 + even / c)
    fraction *= d * c
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1))
    d = 1 / apart(1 + odd * d)
    c = apart(1 + odd / c)
    fraction *= d * c
    if (Math.abs(d * c - 1) < 1e-15) break
  }
  return front * fraction
}

/** ln Γ(x) for x > 0: shifted above 15 by Γ(x) = Γ(x + 1) / x, then Stirling's series. */
function logGamma(x: number): number {
  let shift = 0
  let at = x
  for (; at < 15; at++) shift += Math.log(at)
  const series = 1 / (12 * at) - 1 / (360 * at ** 3) + 1 / (1260 * at ** 5) - 1 / (1680 * at ** 7)
  return (at - 0.5) * Math.log(at) - at + Math.log(2 * Math.PI) / 2 + series - shift
}
