/**
 * Masking with U+2022 BULLET, which no valid value contains; an asterisk is legal in addresses and in old Irish VAT numbers.
 */

export const bullets = (count: number): string => '\u2022'.repeat(count)

/** Keeps the length. */
export function maskNumber(compact: string, shown: number): string {
  return bullets(compact.length - shown) + compact.slice(compact.length - shown)
}
