/** What a rejected IBAN is told, beside the code: the length wanted, the place, a hint for the repair. */

import { ALPHANUMERIC, CHARS, DIGIT, LETTER } from '../char-kind.ts'
import { codePointIndex } from '../character-class.ts'
import { CONFUSABLE_HINT, isConfusable } from '../confusable.ts'
import { rawIndex } from '../foreign-character.ts'
import { hasLabelPrefix } from '../label-prefix.ts'
import { type Failure, layers, type Profile } from '../result.ts'
import type { VerdictCode } from '../verdict.ts'
import { HEAD, type IbanCountry, ibanCountry } from './countries.ts'
import { PARENT_PREFIXES, UNOFFICIAL_PREFIXES } from './registry.ts'
import { isGeneratedPair } from './remainder.ts'

const CHECKSUM_FAILED = layers('passed', 'failed', 'not_checked')

export const IBAN: Profile = {
  type: 'iban',
  ruleset: 'iban:swift-r102',
  notChecked: Object.freeze(['account existence', 'bank existence']),
  reasons: {
    ok: 'The country, length, structure and check digits fit the IBAN registry.',
    empty: 'The value is empty.',
    label_prefix: 'The value starts with a label; send the IBAN alone.',
    invalid_character:
      'An IBAN has ASCII letters and digits only, besides spaces, hyphens and full stops between them.',
    country_missing: 'An IBAN starts with two letters for the country.',
    country_not_in_registry: 'The first two letters are no country of the IBAN registry.',
    structure: 'The structure of an IBAN of that country wants a character of another kind there.',
    length: 'An IBAN of that country has another number of characters.',
    check_digits_format: 'The third and fourth character of an IBAN are digits.',
    check_digits_out_of_range: 'The check digits of an IBAN lie between 02 and 98.',
    checksum: 'The check digits do not fit the rest of the IBAN.',
  },
  failedLayers: { check_digits_out_of_range: CHECKSUM_FAILED, checksum: CHECKSUM_FAILED },
  formatFailed: layers('failed', 'not_checked', 'not_checked'),
}

/** Describes why a value without foreign characters is no IBAN; `iban` is its compact form. */
export function ibanFailure(value: string, iban: string): Failure {
  const code = firstFailure(iban)
  if (code !== 'empty' && hasLabelPrefix(value)) return { code: 'label_prefix' }
  if (code === 'country_missing') return { code, hint: 'add_country_code' }
  if (code === 'country_not_in_registry') return { code, hint: prefixHint(iban.slice(0, 2)) }
  const country = ibanCountry(iban.charCodeAt(0), iban.charCodeAt(1))
  if (country === undefined) return { code }
  const more = { country: country.code, countryName: country.name, structure: country.structure }
  if (code === 'length') return { code, ...lengthFacts(country, iban.length), more }
  if (code === 'structure' || code === 'check_digits_format') {
    return { code, ...misfit(value, iban, country), more }
  }
  return { code, more }
}

/** The first rule that a compact, upper-case value breaks, in order of precedence. */
function firstFailure(iban: string): VerdictCode {
  if (iban.length === 0) return 'empty'
  const bothLetters = iban.length > 1 && isLetter(iban, 0) && isLetter(iban, 1)
  if (!bothLetters) return 'country_missing'
  const country = ibanCountry(iban.charCodeAt(0), iban.charCodeAt(1))
  if (country === undefined) return 'country_not_in_registry'
  if (iban.length !== country.length) return 'length'
  const misfit = misfitOffset(iban, country.kinds)
  if (misfit < iban.length) return misfit < HEAD ? 'check_digits_format' : 'structure'
  return isGeneratedPair(Number(iban.slice(2, HEAD))) ? 'checksum' : 'check_digits_out_of_range'
}

function isLetter(iban: string, offset: number): boolean {
  return (CHARS[iban.charCodeAt(offset)]! & LETTER) !== 0
}

/** Offset of the first character that is not of the kind the structure wants; the length when all fit. */
function misfitOffset(iban: string, kinds: Uint16Array): number {
  let offset = 0
  while (offset < iban.length && (CHARS[iban.charCodeAt(offset)]! & kinds[offset]!) !== 0) offset++
  return offset
}

function prefixHint(prefix: string): string | undefined {
  const parent = PARENT_PREFIXES.get(prefix)
  if (parent !== undefined) return `use_parent_prefix:${parent}`
  return UNOFFICIAL_PREFIXES.has(prefix) ? 'unofficial_format_known' : undefined
}

function lengthFacts(country: IbanCountry, actual: number): Pick<Failure, 'reason' | 'length'> {
  return {
    reason:
      `An IBAN of ${country.name} has ${country.length} characters; ` +
      `this value has ${actual} after removing separators.`,
    length: { expected: country.length, actual },
  }
}

/** The first character that is not of the kind the structure wants. */
function misfit(value: string, iban: string, { name, kinds }: IbanCountry): Partial<Failure> {
  const offset = misfitOffset(iban, kinds)
  const wanted = kinds[offset]!
  const index = rawIndex(value, offset, ALPHANUMERIC)
  const facts: Partial<Failure> = {
    hint: isConfusable(iban.charAt(offset), wanted) ? CONFUSABLE_HINT : undefined,
    position: codePointIndex(value, index),
  }
  if (offset < HEAD) return facts
  return {
    ...facts,
    reason: `The structure of an IBAN of ${name} wants a ${wanted === DIGIT ? 'digit' : 'letter'} there.`,
  }
}
