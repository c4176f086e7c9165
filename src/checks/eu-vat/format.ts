/** Compiles the structures of VAT numbers into one set of allowed kinds per character and matches against them. */
import { CHARS, DIGIT, PLUS_STAR, UPPER } from '../char-kind.ts'

/** One structure, ready to match. */
export interface VatFormat {
  /** As the Commission prints it, prefix included: "ATU99999999". */
  readonly display: string
  /** The kinds allowed at each offset, prefix included. */
  readonly kinds: Uint16Array
  /** Offsets at which one character alone is allowed. */
  readonly fixed: readonly number[]
}

/** Length of the prefix. */
export const PREFIX = 2

const KINDS: Readonly<Record<string, number>> = {
  '9': DIGIT,
  L: UPPER,
  X: DIGIT | UPPER,
  S: DIGIT | UPPER | PLUS_STAR,
}

/** Compiles a structure: 9 a digit, L a letter, X either, S either or "+" or "*", anything else stands for itself. */
export function compileVatFormat(prefix: string, shape: string): VatFormat {
  const kinds = Array.from(shape, (sign) => KINDS[sign] ?? DIGIT | UPPER)
  const fixed = Array.from(shape).flatMap((sign, index) => (sign in KINDS ? [] : [PREFIX + index]))
  return Object.freeze({
    display: prefix + shape,
    kinds: Uint16Array.of(UPPER, UPPER, ...kinds),
    fixed: Object.freeze(fixed),
  })
}

/** Whether a compact VAT number of the right length and prefix has this structure. */
export function matchesVatFormat(vat: string, { display, kinds, fixed }: VatFormat): boolean {
  for (let index = PREFIX; index < kinds.length; index++) {
    if ((CHARS[vat.charCodeAt(index)]! & kinds[index]!) === 0) return false
  }
  for (let at = 0; at < fixed.length; at++) {
    const index = fixed[at]!
    if (vat.charCodeAt(index) !== display.charCodeAt(index)) return false
  }
  return true
}
