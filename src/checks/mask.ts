/**
 * Masking with U+2022 BULLET.
 *
 * No valid value of any type contains a bullet, so a masked value can never equal an input; an asterisk could
 * (it is legal in local parts of addresses and in old Irish VAT numbers).
 */

const BULLETS: readonly string[] = Array.from({ length: 40 }, (_, count) => '\u2022'.repeat(count))

/** `count` bullets, up to 39: no number is longer. */
export function bullets(count: number): string {
  return BULLETS[count]!
}

/** The number with everything but its last `shown` characters hidden, at its true length. */
export function maskNumber(compact: string, shown: number): string {
  return bullets(compact.length - shown) + compact.slice(compact.length - shown)
}
