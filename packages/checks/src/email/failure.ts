import { withoutPlace } from '../advice/advise.ts'
import { isMaskedWithSigns, LABEL_FAILURE } from '../advice/foreign-character.ts'
import type { HintOf } from '../profile.ts'
import type { FailureOf } from '../result.ts'
import { characterClassAt } from '../text/character-class.ts'
import { mayBeAddress } from '../text/may-be-value.ts'
import { adviseAddress } from './addresses.ts'
import { DOMAIN, domainFailure } from './domain.ts'
import { isWrittenLabel } from './idn.ts'
import { EMAIL } from './profile.ts'

/** RFC 5321, 4.5.3.1.1, in octets. */
const LOCAL_LIMIT = 64
/** RFC 5321, 4.5.3.1.3 less the angle brackets (RFC 3696, erratum 1690), in octets. */
const ADDRESS_LIMIT = 254

/** The beginning of a dot-atom, RFC 5322, 3.2.3. */
const DOT_ATOM = /^(?:[a-z0-9!#$%&'*+/=?^_`{|}~-]+\.)*[a-z0-9!#$%&'*+/=?^_`{|}~-]*/i

type Failure = FailureOf<typeof EMAIL>
type Hint = HintOf<typeof EMAIL>

const LOCAL = { part: 'local' } as const
const ADDRESS = { part: 'address' } as const

/** Undefined if the characters from `start` to `end` (exclusive) of the raw value are an address. */
export function emailFailure(value: string, start: number, end: number): Failure | undefined {
  const at = value.indexOf('@', start)
  const failure = syntaxFailure(value, start, at, end)
  if (failure === undefined) return undefined
  if (start === end) return { code: 'empty' }
  const foreign = value.slice(0, end).search(NON_ASCII)
  // Without what is invisible it is an address, whatever a byte order mark looks like to the patterns of labels.
  const visible = value.replace(ALL_INVISIBLE, '').trim()
  if (foreign >= 0 && isAddress(visible) && INVISIBLE.test(String.fromCodePoint(value.codePointAt(foreign)!)))
    return nonAscii(value, foreign, at)
  const isLabelled = EMAIL.labels.precede(value)
  const found = isLabelled ? LABEL_FAILURE : foreign >= 0 ? nonAscii(value, foreign, at) : failure
  if (!mayBeAddress(value)) return { ...withoutPlace(found), hint: 'not_a_value' }
  const advised = adviseAddress(found, value, isAddress)
  if (isLabelled && advised.hint !== 'several_values') return { ...LABEL_FAILURE, span: advised.span }
  if (advised !== found) return advised
  return isMaskedWithSigns(value) ? { ...found, hint: 'masked_value' } : found
}

function isAddress(text: string): boolean {
  return syntaxFailure(text, 0, text.indexOf('@'), text.length) === undefined
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: the range is all of ASCII.
const NON_ASCII = /[^\x00-\x7f]/

function syntaxFailure(value: string, start: number, at: number, end: number): Failure | undefined {
  if (at < 0 || value.indexOf('@', at + 1) >= 0) return atSignFailure(value, at)
  return localFailure(value, start, at) ?? domainFailure(value, at + 1, end) ?? lengthFailure(end - start)
}

const NO_AT_SIGN: Failure = Object.freeze({
  code: 'at_sign',
  reason: 'The value has no at sign; an address has exactly one.',
  hint: 'add_at_sign',
  more: { ...ADDRESS, atSigns: 0 },
})

function atSignFailure(value: string, at: number): Failure {
  if (at < 0) return NO_AT_SIGN
  const atSigns = value.split('@').length - 1
  return {
    code: 'at_sign',
    reason: `The value has ${atSigns} at signs; an address has exactly one.`,
    hint: 'compare_with_source',
    position: value.indexOf('@', at + 1),
    more: { ...ADDRESS, atSigns },
  }
}

/** Only ASCII precedes `position`, so it is also the code point index. */
function nonAscii(value: string, position: number, at: number): Failure {
  const isInDomain = at >= 0 && position > at
  const characterClass = characterClassAt(value, position)
  const character = String.fromCodePoint(value.codePointAt(position)!)
  return {
    code: 'non_ascii',
    reason: `Character ${position + 1} is outside ASCII; internationalised addresses are not accepted.`,
    hint: nonAsciiHint(value, position, character, isInDomain),
    position,
    characterClass,
    more: isInDomain ? DOMAIN : at < 0 ? ADDRESS : LOCAL,
  }
}

const IS_LETTER = /^[\p{L}\p{M}\u3007\u00b7]$/u
const ALL_INVISIBLE = /[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\ufeff]/gu
const INVISIBLE = /^[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}]$/u

/** A sign may stand in place of any character, so nothing but an invisible one is to be removed. */
function nonAsciiHint(value: string, position: number, character: string, isInDomain: boolean): Hint {
  const folded = character.normalize('NFKC')
  if (/^[.\u3002]$/.test(folded)) return 'use_dot'
  if (INVISIBLE.test(character)) return 'remove_character'
  if (/^\p{Nd}$/u.test(character)) return 'use_ascii_digits'
  const isLetter = IS_LETTER.test(character)
  if (isLetter && isInDomain && isWrittenLabel(value, position)) return 'use_punycode_domain'
  // In a domain a letter that only looks like a Latin one may be meant as it is.
  const isLookalike = isInDomain
    ? /^[a-z]+$/i.test(folded)
    : characterClassAt(character, 0) === 'confusable_letter'
  return folded === '@' || (isLetter && isLookalike) ? 'confusable_character' : 'compare_with_source'
}

function localFailure(value: string, start: number, at: number): Failure | undefined {
  const size = at - start
  if (size === 0) return { code: 'local_empty', position: at, more: LOCAL }
  if (size > LOCAL_LIMIT) {
    return {
      code: 'local_too_long',
      reason: `The part before the at sign has ${size} characters; at most ${LOCAL_LIMIT} are allowed.`,
      length: { expected: LOCAL_LIMIT, actual: size },
      more: LOCAL,
    }
  }
  const { length } = DOT_ATOM.exec(value.slice(start, at))![0]
  if (length < size) return notDotAtom(value, start + length)
  return value[at - 1] === '.' ? notDotAtom(value, at - 1) : undefined
}

/** Some mailboxes have such a name, such as "first..last", so that removing the sign may lead to another one. */
const QUOTED = /^\s*"[^"]*"\s*@/

function notDotAtom(value: string, position: number): Failure {
  const isDot = value[position] === '.'
  return {
    code: 'local_not_dot_atom',
    reason: QUOTED.test(value)
      ? 'The part before the at sign stands in quotes; quoted names are not accepted.'
      : isDot
        ? `Character ${position + 1} is a dot at an edge or beside another; before the at sign single dots stand between other characters.`
        : `Character ${position + 1} is not allowed; before the at sign there are letters, digits and some signs.`,
    hint: 'compare_with_source',
    position,
    more: LOCAL,
  }
}

function lengthFailure(size: number): Failure | undefined {
  if (size <= ADDRESS_LIMIT) return undefined
  return {
    code: 'address_too_long',
    reason: `The address has ${size} characters; at most ${ADDRESS_LIMIT} are allowed.`,
    length: { expected: ADDRESS_LIMIT, actual: size },
    more: ADDRESS,
  }
}
