const ZERO = 48

export function digitAt(digits: string, index: number): number {
  return digits.charCodeAt(index) - ZERO
}

/** Exact for up to 15 digits; `end` is exclusive. */
export const decimal = (digits: string, start: number, end: number): number =>
  Number(digits.slice(start, end))

export const areDigits = (text: string, start = 0, end = text.length): boolean =>
  /^\d*$/.test(text.slice(start, end))
