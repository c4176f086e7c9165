import { isMasked, LABEL_FAILURE, positionOf } from '../advice/foreign-character.ts'
import { fitsAsSlip } from '../advice/mended-value.ts'
import { extraCharacter, unfitDigits } from '../advice/suspect-positions.ts'
import type { FactsOf, HintOf } from '../profile.ts'
import type { FailureOf } from '../result.ts'
import { CHARS, DIGIT } from '../text/char-kind.ts'
import { asTwoLetters, digitLike, letterLike } from '../text/lookalikes.ts'
import { characterName, counted } from '../text/wording.ts'
import { type IbanCountry, ibanCountry } from './countries.ts'
import { type IbanCode, ibanRemainder, isLetterAt, misfitOffset } from './judge-iban.ts'
import { IBAN } from './profile.ts'
import { CONFUSED_PREFIXES, PARENT_PREFIXES, UNOFFICIAL_PREFIXES } from './registry.ts'
import { fitsIban, letterForDigit } from './suspects.ts'

type Failure = FailureOf<typeof IBAN>
type Broken = Exclude<IbanCode, 'ok'>

/** `iban` is the compact form of `value`, which has no foreign characters. */
export function ibanFailure(code: Broken, value: string, iban: string): Failure {
  if (code === 'empty') return { code }
  if (code === 'checksum') return checksumFailure(value, iban)
  if (IBAN.labels.precede(value)) return LABEL_FAILURE
  if (code === 'country_missing') return countryMissing(value, iban)
  const country = ibanCountry(iban)
  if (country === undefined) return { code, hint: prefixHint(iban), position: positionOf(value, 0) }
  return { code, more: factsOf(country), ...finding(code, value, iban, country) }
}

function checksumFailure(value: string, iban: string): Failure {
  const country = ibanCountry(iban)!
  const letter = letterForDigit(iban, writtenLike(value), country)
  const failure = unfitDigits('checksum', factsOf(country))
  return letter < 0
    ? failure
    : { ...failure, hint: 'confusable_character', position: positionOf(value, letter) }
}

function factsOf({ code, name, structure }: IbanCountry): FactsOf<typeof IBAN> {
  return { country: code, countryName: name, structure }
}

function finding(code: Broken, value: string, iban: string, country: IbanCountry): Partial<Failure> {
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
  const isConfusable = letters !== undefined && fitsIban(letters + iban.slice(2))
  const isNumber = !isLetterAt(iban, 0) && !isLetterAt(iban, 1)
  return {
    code: 'country_missing',
    hint: isConfusable ? 'confusable_character' : isNumber ? undefined : 'check_country_code',
    position: positionOf(value, isLetterAt(iban, 0) && iban.length > 1 ? 1 : 0),
  }
}

function prefixHint(iban: string): HintOf<typeof IBAN> {
  const [prefix, rest] = [iban.slice(0, 2), iban.slice(2)]
  const other = CONFUSED_PREFIXES.get(prefix)
  if (other !== undefined && fitsIban(other + rest)) return `use_prefix:${other}`
  const parent = PARENT_PREFIXES.get(prefix)
  if (parent !== undefined && fitsIban(parent + rest)) return `use_parent_prefix:${parent}`
  const isUnofficial = UNOFFICIAL_PREFIXES.has(prefix) && ibanRemainder(iban) === 1
  return isUnofficial ? 'unofficial_format_known' : 'check_country_code'
}

function wrongLength(value: string, iban: string, { code, length }: IbanCountry): Partial<Failure> {
  return {
    reason: `The value has ${counted(iban.length, 'character')} after removing separators; an IBAN that starts with ${code} has ${length}.`,
    hint: isMasked(value) ? 'masked_value' : undefined,
    length: { expected: length, actual: iban.length },
    ...(iban.length === length + 1 ? extraCharacter(value, iban, fitsIban) : {}),
  }
}

function misfit(code: Broken, value: string, iban: string, country: IbanCountry): Partial<Failure> {
  const offset = misfitOffset(iban, country.kinds)
  const position = positionOf(value, offset)
  const found = `Character ${position + 1} is ${characterName(value.charAt(position))}`
  const isDigitDue = country.kinds[offset] === DIGIT
  const isConfusable =
    fitsIban(asKinds(writtenLike(value), country.kinds)) && !fitsAsSlip(iban, offset, fitsIban)
  return {
    reason:
      code === 'structure'
        ? `${found}; an IBAN that starts with ${country.code} has a ${isDigitDue ? 'digit' : 'letter'} there.`
        : `${found}; the third and fourth character of an IBAN are its check digits.`,
    hint: isMasked(value) ? 'masked_value' : isConfusable ? 'confusable_character' : undefined,
    position,
  }
}

function asKinds(written: string, kinds: Uint16Array): string {
  return Array.from(written, (sign, offset) => {
    const upper = sign.toUpperCase()
    if ((CHARS[upper.charCodeAt(0)]! & kinds[offset]!) !== 0) return upper
    return (kinds[offset] === DIGIT ? digitLike(sign) : letterLike(sign)) ?? upper
  }).join('')
}

/** The value without separators, in its own case: small letters look like other digits than capitals. */
const writtenLike = (value: string): string => value.replace(/[^0-9A-Za-z]/g, '')
