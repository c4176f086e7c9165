/** What the Polish numbers share: digits only, grouped by spaces and hyphens. */
import { CHARS, DIGIT } from './char-kind.ts'

/** Whether a compact value has digits only from `start` on. */
export function isDigits(compact: string, start: number): boolean {
  for (let index = start; index < compact.length; index++) {
    if ((CHARS[compact.charCodeAt(index)]! & DIGIT) === 0) return false
  }
  return true
}

/** Other Polish numbers with this many digits: a hint by length only. */
export function otherNumberHint(digits: number): string | undefined {
  if (digits === 9 || digits === 14) return 'may_be_regon'
  if (digits === 10) return 'may_be_nip'
  return digits === 11 ? 'may_be_pesel' : undefined
}

/** The sentence for a wrong number of digits. */
export function digitCountReason(name: string, expected: string, actual: number): string {
  return `A ${name} has ${expected} digits; this value has ${actual} after removing separators.`
}
