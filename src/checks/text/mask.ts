/**
 * Masking with U+2022 BULLET, which no valid value contains; an asterisk is legal in addresses and in old Irish VAT numbers.
 */

const BULLETS: readonly string[] = Array.from({ length: 40 }, (_, count) => '\u2022'.repeat(count))

/** `count` is at most 39: no number is longer. */
export function bullets(count: number): string {
  return BULLETS[count]!
}

/** Keeps the length. */
export function maskNumber(compact: string, shown: number): string {
  return bullets(compact.length - shown) + compact.slice(compact.length - shown)
}
