/** Whether a mended value fits: what a hint that mends rests on. */

/** Whether a compact value satisfies every rule of its type, national check digits included. */
export type Fits = (compact: string) => boolean

/** The value with one character replaced. */
export function replaceAt(compact: string, offset: number, character: string): string {
  return compact.slice(0, offset) + character + compact.slice(offset + 1)
}

/** Whether the value fits with this character and a neighbour swapped, which explains it as well as a look-alike would. */
export function fitsSwapped(compact: string, offset: number, fits: Fits): boolean {
  return [offset - 1, offset].some((start) => {
    const [one, other] = [compact.charAt(start), compact.charAt(start + 1)]
    return fits(compact.slice(0, start) + other + one + compact.slice(start + 2))
  })
}

/** Whether this character alone, of all digits, makes the value fit there: else the check digits prove nothing. */
export function isOnlyFit(compact: string, offset: number, fits: Fits): boolean {
  return (
    fits(compact) && [...'0123456789'].filter((digit) => fits(replaceAt(compact, offset, digit))).length <= 1
  )
}

/** Whether a sign stands on the key of a digit (which, depends on the keyboard) and some digit fits in its place. */
export function isShiftedDigit(value: string, index: number, fits: Fits): boolean {
  const [before, after] = [value.slice(0, index), value.slice(index + 1)].map((part) =>
    part.replace(/[^0-9A-Za-z]/g, '').toUpperCase(),
  )
  return (
    /[!@#$%^&*()]/.test(value.charAt(index)) &&
    [...'0123456789'].some((digit) => fits(before + digit + after))
  )
}
