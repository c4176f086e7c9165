/**
 * Recognises a value that starts with the name of a field: "IBAN: DE89…", "NIP 526…", "mailto:…".
 *
 * Called for rejected values only: a labelled value is never valid, since its first letters are no country.
 */
import { CHARS, DOT, SEPARATOR, TRIM } from './char-kind.ts'

const LABELS: readonly string[] = ['IBAN', 'VAT', 'VAT ID', 'NIP', 'REGON', 'PESEL', 'MAILTO']
const EDGE = SEPARATOR | DOT | TRIM
const SPACE = SEPARATOR | TRIM
const COLON = 0x3a
const TO_UPPER = 0x20

/** Whether the value starts with a known label, in any case, and a colon or a space after it. */
export function hasLabelPrefix(value: string): boolean {
  let start = 0
  while (start < value.length && (CHARS[value.charCodeAt(start)]! & EDGE) !== 0) start++
  return LABELS.some((label) => {
    const after = start + label.length
    return after < value.length && endsLabel(value.charCodeAt(after)) && equalsLabel(value, start, label)
  })
}

function endsLabel(unit: number): boolean {
  return unit === COLON || (CHARS[unit]! & SPACE) === SPACE
}

/** ASCII case folding only: U+017F is no S here. */
function equalsLabel(value: string, start: number, label: string): boolean {
  for (let index = 0; index < label.length; index++) {
    const unit = value.charCodeAt(start + index)
    const upper = unit >= 0x61 && unit <= 0x7a ? unit - TO_UPPER : unit
    if (upper !== label.charCodeAt(index)) return false
  }
  return true
}
