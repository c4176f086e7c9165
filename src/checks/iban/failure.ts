/** Explains a refused IBAN: the finding, the place, a hint to mend it. */

import { DIGIT } from '../char-kind.ts'
import { isMasked, LABEL_FAILURE, positionOf } from '../foreign-character.ts'
import type { HintCode } from '../hints.ts'
import { numberLabels } from '../label-prefix.ts'
import { asTwoLetters, digitLike, letterLike } from '../lookalikes.ts'
import { type Failure, layers, type Profile } from '../result.ts'
import { extraCharacter, unfitDigits } from '../suspects.ts'
import type { VerdictCode } from '../verdict.ts'
import { counted, withArticle } from '../wording.ts'
import { type IbanCountry, ibanCountry } from './countries.ts'
import { isLetterAt, misfitOffset } from './judge-iban.ts'
import { CONFUSED_PREFIXES, IBAN_RELEASE, PARENT_PREFIXES, UNOFFICIAL_PREFIXES } from './registry.ts'
import { fitsIban, ibanSuspects } from './suspects.ts'

const CHECKSUM_FAILED = layers('passed', 'failed', 'not_checked')

export const IBAN: Profile = {
  type: 'iban',
  ruleset: `iban:swift-r${IBAN_RELEASE}`,
  notChecked: Object.freeze(['account existence', 'bank existence']),
  // Those of a VAT number too, which stands in the next field of an invoice.
  labels: numberLabels('IBAN', 'VAT', 'VAT ID'),
  reasons: {
    ok: 'The country, length, structure and check digits fit the IBAN registry.',
    empty: 'The value is empty; an IBAN has 15 to 33 characters.',
    label_prefix: 'The value starts with a label; send the IBAN alone.',
    country_missing: 'The value does not start with two letters; an IBAN starts with its country code.',
    country_not_in_registry: 'The first two letters are not a country code in the IBAN registry.',
    check_digits_out_of_range: 'The check digits are 00, 01 or 99; those of an IBAN lie between 02 and 98.',
    checksum: 'The check digits do not fit the rest of the IBAN: a character is wrong or two are swapped.',
  },
  failedLayers: { check_digits_out_of_range: CHECKSUM_FAILED, checksum: CHECKSUM_FAILED },
  formatFailed: layers('failed', 'not_checked', 'not_checked'),
}

export const IBAN_CHARACTERS =
  'an IBAN has ASCII letters and digits only, with spaces, hyphens or full stops between them.'

/** Explains why a value without foreign characters is not an IBAN; `iban` is its compact form. */
export function ibanFailure(code: VerdictCode, value: string, iban: string): Failure {
  if (code === 'empty') return { code }
  if (code === 'checksum') return checksumFailure(value, iban)
  if (IBAN.labels.precede(value)) return LABEL_FAILURE
  if (code === 'country_missing') return countryMissing(value, iban)
  const country = ibanCountry(iban)
  if (country === undefined)
    return { code, hint: prefixHint(iban.slice(0, 2)), position: positionOf(value, 0) }
  return { code, more: factsOf(country), ...finding(code, value, iban, country) }
}

function checksumFailure(value: string, iban: string): Failure {
  const country = ibanCountry(iban)!
  return unfitDigits('checksum', value, ibanSuspects(iban, country), factsOf(country))
}

function factsOf({ code, name, structure }: IbanCountry): Readonly<Record<string, unknown>> {
  return { country: code, countryName: name, structure }
}

function finding(code: VerdictCode, value: string, iban: string, country: IbanCountry): Partial<Failure> {
  switch (code) {
    case 'length':
      return wrongLength(value, iban, country)
    case 'check_digits_out_of_range':
      return { position: positionOf(value, 2) }
    default:
      return misfit(code, value, iban, country)
  }
}

function countryMissing(value: string, iban: string): Failure {
  const letters = asTwoLetters(iban)
  const isConfusable = letters !== undefined && ibanCountry(letters) !== undefined
  const isNumber = !isLetterAt(iban, 0) && !isLetterAt(iban, 1)
  return {
    code: 'country_missing',
    hint: isConfusable ? 'confusable_character' : isNumber ? 'add_country_code' : 'check_country_code',
    position: positionOf(value, isLetterAt(iban, 0) && iban.length > 1 ? 1 : 0),
  }
}

function prefixHint(prefix: string): HintCode {
  const other = CONFUSED_PREFIXES.get(prefix)
  if (other !== undefined) return `use_prefix:${other}`
  const parent = PARENT_PREFIXES.get(prefix)
  if (parent !== undefined) return `use_parent_prefix:${parent}`
  return UNOFFICIAL_PREFIXES.has(prefix) ? 'unofficial_format_known' : 'check_country_code'
}

function wrongLength(value: string, iban: string, { code, length }: IbanCountry): Partial<Failure> {
  return {
    reason: `The value has ${counted(iban.length, 'character')} after removing separators; ${withArticle(code)} IBAN has ${length}.`,
    hint: isMasked(value) ? 'masked_value' : undefined,
    length: { expected: length, actual: iban.length },
    ...(iban.length === length + 1 ? extraCharacter(value, iban, fitsIban) : {}),
  }
}

/** Names the first character that is not of the kind the structure requires. */
function misfit(code: VerdictCode, value: string, iban: string, country: IbanCountry): Partial<Failure> {
  const offset = misfitOffset(iban, country.kinds)
  const position = positionOf(value, offset)
  const isDigitDue = country.kinds[offset] === DIGIT
  const character = iban.charAt(offset)
  const isConfusable = (isDigitDue ? digitLike(character) : letterLike(character)) !== undefined
  return {
    reason:
      code === 'structure'
        ? `Character ${position + 1} should be a ${isDigitDue ? 'digit' : 'letter'} in ${withArticle(country.code)} IBAN.`
        : `Character ${position + 1} should be a digit: the third and fourth character of an IBAN are its check digits.`,
    hint: isMasked(value) ? 'masked_value' : isConfusable ? 'confusable_character' : undefined,
    position,
  }
}
