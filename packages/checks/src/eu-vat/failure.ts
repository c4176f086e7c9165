import { foreignCharacter, isMasked, LABEL_FAILURE, positionOf } from '../advice/foreign-character.ts'
import { fitsAsSlip, isOnlyFit, isShiftedDigit, replaceAt } from '../advice/mended-value.ts'
import { unfitDigits } from '../advice/suspect-positions.ts'
import { areDigits } from '../arithmetic/decimal.ts'
import type { FactsOf, HintOf } from '../profile.ts'
import type { FailureOf } from '../result.ts'
import { DIGIT, UPPER } from '../text/char-kind.ts'
import { asTwoLetters, digitLike, letterLike } from '../text/lookalikes.ts'
import { characterName, counted } from '../text/wording.ts'
import { fitsWithNational, hasLostLetter, hasOneLetterWrong } from './fits-vat.ts'
import { misfitOffset, type VatFormat } from './format.ts'
import { isUpperAt, judgeVat, type VatCode } from './judge-vat.ts'
import { legacyHint } from './member-state.ts'
import { foreignVatKind, isGroupedSiren, lacksPrefix, otherNumber } from './other-number.ts'
import { EU_VAT, PREFIX_APART } from './profile.ts'
import { isWithoutPrefix, PREFIX, type VatState, vatState } from './vat-state.ts'

type Failure = FailureOf<typeof EU_VAT>
type Broken = Exclude<VatCode, 'ok'>

const HINT_OF_CODE: Partial<Readonly<Record<Broken, HintOf<typeof EU_VAT>>>> = {
  country_not_eu: 'check_prefix',
  use_el_prefix: 'use_prefix:EL',
  gb_not_eu: 'gb_left_eu',
  oss_ioss_number: 'one_stop_shop',
}

/** The prefix behind the number, or words between the two. */
const APART = new RegExp(PREFIX_APART[0])
const isPrefixApart = (value: string): boolean =>
  APART.test(value) &&
  fitsWithNational(
    value
      .replace(APART, PREFIX_APART[1])
      .replace(/[\s.-]/g, '')
      .toUpperCase(),
  )

/** An organisation number or a personal number with its century, as Swedes write them. */
function isSwedishAlone(value: string): boolean {
  const [, digits, last] = /^\s*(?:16|19|20)?(\d{6})-(\d{4})\s*$/.exec(value) ?? []
  return digits !== undefined && fitsWithNational(`SE${digits}${last}01`)
}

export const VAT_FORM = {
  profile: EU_VAT,
  rule: 'a VAT number has ASCII letters and digits only, with spaces, hyphens or full stops between them.',
  // The everyday prefix of Greece is mended by a hint of its own.
  fits: (vat: string) => fitsWithNational(vat.replace(/^GR/, 'EL')),
  isValid: (vat: string) => judgeVat(vat) === 'ok',
  twice: 'prefix_twice',
  otherNumber(value: string) {
    if (isGroupedSiren(value)) return 'french_siren_without_key'
    if (isPrefixApart(value)) return 'prefix_apart'
    if (isSwedishAlone(value)) return 'swedish_without_01'
    const foreign = foreignVatKind(value)
    if (foreign !== undefined) return foreign
    return otherNumber(value) ?? (lacksPrefix(value) ? 'add_country_prefix' : undefined)
  },
} as const

export function vatFailure(code: Broken, value: string, vat: string): Failure {
  if (code === 'empty') return { code }
  if (code === 'invalid_character') return vatForeignCharacter(value, value.search(/[+*]/))
  if (code === 'checksum' || code === 'checksum_impossible') {
    return unfitDigits(code, factsOf(vatState(vat)!))
  }
  if (EU_VAT.labels.precede(value)) return LABEL_FAILURE
  if (code === 'prefix_missing') return prefixMissing(value, vat)
  const found = vatState(vat)
  if (found === undefined) {
    // GR may also be the key of a French number without its prefix.
    const hint = code === 'use_el_prefix' && isWithoutPrefix(vat) ? undefined : HINT_OF_CODE[code]
    return { code, hint, position: positionOf(value, 0) }
  }
  const more = factsOf(found)
  if (code === 'all_zero') return { code, hint: 'placeholder_value', more }
  const legacy = legacyHint(found.state, vat.slice(PREFIX))
  const finding = formatFinding(value, vat, found)
  if (hasOneLetterWrong(vat)) return { code, more, ...finding, hint: undefined }
  return { code, more, ...finding, hint: legacy ?? (isMasked(value) ? 'masked_value' : finding.hint) }
}

function factsOf({ state, displays }: VatState): FactsOf<typeof EU_VAT> {
  return { country: state.prefix, countryName: state.country, formats: displays }
}

export function vatForeignCharacter(value: string, index: number): Failure {
  const failure = foreignCharacter(value, index, VAT_FORM)
  if (failure.hint !== 'remove_character') return failure
  const sign = value.charAt(index)
  if (sign === '/' && /^\s*cz/i.test(value)) return { ...failure, hint: 'czech_slash' }
  return isShiftedDigit(value, index, fitsWithNational) ? { ...failure, hint: undefined } : failure
}

function prefixMissing(value: string, vat: string): Failure {
  const letters = asTwoLetters(vat)
  const isConfusable =
    letters !== undefined && fitsWithNational(letters + vat.slice(PREFIX)) && !hasLostLetter(vat)
  // A spreadsheet may have written the number as 136695976.0.
  const isNumber = isWithoutPrefix(vat) || (/\.0\s*$/.test(value) && isWithoutPrefix(vat.slice(0, -1)))
  const isLetter = isUpperAt(vat, 0) || isUpperAt(vat, 1)
  return {
    code: 'prefix_missing',
    hint: isConfusable
      ? 'confusable_character'
      : isNumber
        ? 'add_country_prefix'
        : isLetter
          ? 'check_prefix'
          : undefined,
    position: positionOf(value, !isNumber && isUpperAt(vat, 0) && vat.length > 1 ? 1 : 0),
  }
}

function formatFinding(value: string, vat: string, found: VatState): Partial<Failure> {
  const fitting = found.formats.filter(({ kinds }) => kinds.length === vat.length)
  if (fitting.length === 0) return wrongLength(vat, found)
  const { offset, other, reason } = misfit(value, vat, fitting, found)
  const position = positionOf(value, offset)
  const isLookalike =
    other !== undefined &&
    isOnlyFit(replaceAt(vat, offset, other), offset, fitsWithNational) &&
    !fitsAsSlip(vat, offset, fitsWithNational)
  if (isLookalike) return { reason, hint: 'confusable_character', position }
  return { reason, position }
}

function wrongLength(vat: string, { state, lengths }: VatState): Partial<Failure> {
  const { prefix } = state
  const actual = vat.length - PREFIX
  const expected = lengths.length === 1 ? lengths[0]! : lengths
  const unit = areDigits(vat, PREFIX) ? 'digit' : 'character'
  return {
    reason:
      `The number after ${prefix} has ${counted(actual, unit)}; ` +
      `a VAT number that starts with it has ${inWords(lengths)}.`,
    length: { expected, actual },
  }
}

/** "9", "9 or 12", "2 to 10". */
function inWords(lengths: readonly number[]): string {
  const [first, last] = [lengths[0]!, lengths.at(-1)!]
  return lengths.length > 2 && last - first === lengths.length - 1
    ? `${first} to ${last}`
    : lengths.join(' or ')
}

interface Misfit {
  readonly offset: number
  /** The look-alike that the structure allows there. */
  readonly other: string | undefined
  readonly reason: string
}

function misfit(value: string, vat: string, formats: readonly VatFormat[], { state }: VatState): Misfit {
  const closest = formats.reduce((best, each) =>
    misfitOffset(vat, each) > misfitOffset(vat, best) ? each : best,
  )
  const offset = misfitOffset(vat, closest)
  const kind = closest.kinds[offset]!
  const literal = closest.display.charAt(offset)
  const position = positionOf(value, offset)
  return {
    offset,
    other: digitLike(value.charAt(position)) ?? letterLike(vat.charAt(offset)),
    reason: `Character ${position + 1} is ${characterName(value.charAt(position))}; a VAT number that starts with ${state.prefix} has ${inKinds(kind, literal)} there.`,
  }
}

function inKinds(kind: number, literal: string): string {
  if (kind === 0) return `"${literal}"`
  if (kind === DIGIT) return 'a digit'
  return kind === UPPER ? 'a letter' : 'a letter or digit'
}
