import { CHARS, DIGIT, PLUS_STAR, UPPER } from '../text/char-kind.ts'

export interface VatFormat {
  /** As the Commission prints it, prefix included: "ATU99999999". */
  readonly display: string
  /** The kinds of characters allowed at each offset, prefix included; 0 where only the one in `display` is. */
  readonly kinds: Uint16Array
}

const KINDS: Readonly<Record<string, number>> = {
  '9': DIGIT,
  L: UPPER,
  X: DIGIT | UPPER,
  S: DIGIT | UPPER | PLUS_STAR,
}

export function compileVatFormat(prefix: string, shape: string): VatFormat {
  const kinds = Array.from(shape, (sign) => KINDS[sign] ?? 0)
  return Object.freeze({ display: prefix + shape, kinds: Uint16Array.of(0, 0, ...kinds) })
}

export function matchesVatFormat(vat: string, format: VatFormat): boolean {
  return vat.length === format.kinds.length && misfitOffset(vat, format) === vat.length
}

/** The length if every character fits. */
export function misfitOffset(vat: string, { display, kinds }: VatFormat): number {
  for (let offset = 0; offset < kinds.length; offset++) {
    const kind = kinds[offset]!
    const code = vat.charCodeAt(offset)
    const fits = kind === 0 ? code === display.charCodeAt(offset) : (CHARS[code]! & kind) !== 0
    if (!fits) return offset
  }
  return kinds.length
}
