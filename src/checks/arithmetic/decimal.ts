const ZERO = 48

export function digitAt(digits: string, index: number): number {
  return digits.charCodeAt(index) - ZERO
}

/** Exact for up to 15 digits; `end` is exclusive. */
export function decimal(digits: string, start: number, end: number): number {
  let value = 0
  for (let index = start; index < end; index++) value = value * 10 + digits.charCodeAt(index) - ZERO
  return value
}

export function areDigits(text: string, start = 0, end = text.length): boolean {
  for (let index = start; index < end; index++) {
    const digit = text.charCodeAt(index) - ZERO
    if (digit < 0 || digit > 9) return false
  }
  return true
}
