/** Whether a mended value fits: what a hint that mends rests on. */

/** Whether a compact value satisfies every rule of its type, national check digits included. */
export type Fits = (compact: string) => boolean

/** The value with one character replaced. */
export function replaceAt(compact: string, offset: number, character: string): string {
  return compact.slice(0, offset) + character + compact.slice(offset + 1)
}

/** Whether this character alone, of all digits, makes the value fit there: else the check digits prove nothing. */
export function isOnlyFit(compact: string, offset: number, fits: Fits): boolean {
  return (
    fits(compact) && [...'0123456789'].filter((digit) => fits(replaceAt(compact, offset, digit))).length <= 1
  )
}
