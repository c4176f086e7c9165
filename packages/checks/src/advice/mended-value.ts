/** A hint that changes the value is given only if the changed value fits. */

/** National check digits included. */
export type Fits = (compact: string) => boolean

const DIGITS = '0123456789'

export function replaceAt(compact: string, offset: number, character: string): string {
  return compact.slice(0, offset) + character + compact.slice(offset + 1)
}

/**
 * Whether the value fits with another slip than a look-alike undone: this character swapped with a neighbour, a character
 * typed twice, or a digit left out.
 */
export function fitsAsSlip(compact: string, offset: number, fits: Fits): boolean {
  return [...compact].some((here, at) => {
    const [before, after] = [compact.slice(0, at), compact.slice(at + 1)]
    const isNear = at === offset || at === offset - 1
    return (
      (isNear && fits(before + after.charAt(0) + here + after.slice(1))) ||
      (here === after.charAt(0) && fits(before + after)) ||
      [...DIGITS].some((digit) => fits(before + digit + here + after))
    )
  })
}

/** Whether the value fits, and with no other digit at `offset`: otherwise the check digits prove nothing. */
export function isOnlyFit(compact: string, offset: number, fits: Fits): boolean {
  return fits(compact) && [...DIGITS].filter((digit) => fits(replaceAt(compact, offset, digit))).length <= 1
}

/** Whether a sign shares its key with a digit on some keyboard, and some digit fits in its place. */
export function isShiftedDigit(value: string, index: number, fits: Fits): boolean {
  const [before, after] = [value.slice(0, index), value.slice(index + 1)].map((part) =>
    part.replace(/[^0-9A-Za-z]/g, '').toUpperCase(),
  )
  return /[!@#$%^&*()]/.test(value.charAt(index)) && [...DIGITS].some((digit) => fits(before + digit + after))
}
