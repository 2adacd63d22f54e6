// Numbers as people read them: three digits say enough, and the unit is always there.

export function percent(share: number): string {
  const value = 100 * share
  return `${value !== 0 && Math.abs(value) < 10 ? value.toFixed(1).replace(/\.0$/, '') : Math.round(value)} %`
}

export function ms(value: number): string {
  if (value >= 10_000) return `${three(value / 1000)} s`
  return `${three(value)} ms`
}

export function seconds(valueMs: number): string {
  return `${three(valueMs / 1000)} s`
}

export function times(multiple: number): string {
  return `${Number(multiple.toFixed(multiple < 10 ? 2 : 1))}×`
}

export function perS(value: number): string {
  return `${three(value)}/s`
}

/** At most three digits after what is needed to read it: 0.123, 1.23, 12.3, 123, 1234. */
export function three(value: number): string {
  if (!Number.isFinite(value)) return value > 0 ? 'endless' : String(value)
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : Math.abs(value) >= 1 ? 2 : 3
  return String(Number(value.toFixed(digits)))
}
