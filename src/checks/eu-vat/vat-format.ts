/** Compiles the structures of VAT numbers into one set of allowed kinds per character and matches against them. */
import { CHARS, DIGIT, PLUS_STAR, UPPER } from '../char-kind.ts'

/** One structure, ready to match. */
export interface VatFormat {
  /** As the Commission prints it, prefix included: "ATU99999999". */
  readonly display: string
  /** Per character after the prefix: a set of kinds, or LITERAL plus the code of the one character allowed. */
  readonly wanted: Uint16Array
}

/** Above every kind. */
const LITERAL = 0x8000
const KINDS: Readonly<Record<string, number>> = {
  '9': DIGIT,
  L: UPPER,
  X: DIGIT | UPPER,
  S: DIGIT | UPPER | PLUS_STAR,
}

/** Compiles a structure: 9 a digit, L a letter, X either, S either or "+" or "*", anything else stands for itself. */
export function compileVatFormat(prefix: string, shape: string): VatFormat {
  const wanted = Uint16Array.from(shape, (sign) => KINDS[sign] ?? LITERAL + sign.charCodeAt(0))
  return Object.freeze({ display: prefix + shape, wanted })
}

/** Whether the compact VAT number, from offset 2 on, has this structure. */
export function matchesVatFormat(vat: string, { wanted }: VatFormat): boolean {
  if (vat.length !== wanted.length + 2) return false
  for (let index = 0; index < wanted.length; index++) {
    const unit = vat.charCodeAt(index + 2)
    const want = wanted[index]!
    if (want >= LITERAL ? unit !== want - LITERAL : (CHARS[unit]! & want) === 0) return false
  }
  return true
}
