/**
 * Finds a whole address inside a value. An address has no check digits, so only the form of what stands around it can show that
 * it is whole: what touches it may be a part of it that a slip changed.
 */
import { HAS_TEXT, placedAt, severalValues, withoutPlace } from '../advice/advise.ts'
import { LABEL_FAILURE } from '../advice/foreign-character.ts'
import { areSeveral, type Part } from '../advice/parts.ts'
import type { Proof, ProvedSpan } from '../advice/proof.ts'
import type { FailureOf } from '../result.ts'
import type { EMAIL } from './profile.ts'
import { isTopLevelDomain } from './top-level-domains.ts'

type Failure = FailureOf<typeof EMAIL>

const ADDRESS = /[A-Za-z0-9!#$%&'*+/=?^_`{|}~.-]+@[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?/g
const SIGNS_IN_FRONT = /^[^A-Za-z0-9]+/
const SEVERAL = /@[^@,;/|\s]*[,;/|\s][^@]*@/

/** Signs that stand on both sides of an address, in the characters of the value and of HTML. */
const CLOSING: Readonly<Record<string, string>> = {
  ...{ '<': '>', '(': ')', '[': ']', '{': '}', '>': '<', '"': '"', "'": "'", '`': '`', '*': '*', _: '_' },
  ...{ '~': '~', '|': '|', '\u00ab': '\u00bb', '\u00bb': '\u00ab', '\u2039': '\u203a', '\u203a': '\u2039' },
  ...{ '\u201c': '\u201d', '\u201e': '\u201d', '\u201d': '\u201d', '\u2018': '\u2019', '\u201a': '\u2018' },
  ...{ '\u300c': '\u300d', '\u3010': '\u3011', '\uff08': '\uff09', '\uff1c': '\uff1e', '\u2019': '\u2019' },
  ...{ '&lt;': '&gt;', '&quot;': '&quot;', '&#39;': '&#39;', '&apos;': '&apos;' },
}
/** German quotes close with either sign. */
const ALSO_CLOSING: Readonly<Record<string, string>> = { '\u201e': '\u201c' }

/** A scheme in front, whose address is percent-encoded (RFC 6068, section 2). */
const SCHEME = /(?:^|[^\p{L}\p{N}])(?:smtp|mailto|sips?|xmpp)\s*[:;]\s*(?:\/+|\S*%(?:20|09|0[ad]|22|3c))?$/iu
const OWN_LABEL = /(?:^|[^\p{L}\p{N}])(?:e[ .-]?mail|mail|adres)\s*[:=]\s*$/iu
const ENCODED = /%[0-9a-f]{2}/i
/** What is no part of an address behind a scheme: slashes, and encoded blanks, quotes and angle brackets. */
const BEFORE_ENCODED = /^(?:\/+|.*%(?:20|09|0[ad]|22|3c))/is

const ENTITY = /&(?:[lg]t|quot|apos|#39);/gi

/** From left to right. A sign in front of one belongs to it unless it divides two or stands behind it as well. */
function addressesIn(value: string, isAddress: (text: string) => boolean): readonly Part[] {
  const parts: Part[] = []
  // The pattern would look for one from each character.
  if (!value.includes('@')) return parts
  for (const { 0: match, index } of value.matchAll(ADDRESS)) {
    const signs = SIGNS_IN_FRONT.exec(match)?.[0] ?? ''
    const closing = Array.from(signs, (sign) => (sign === '{' ? '}' : sign))
      .reverse()
      .join('')
    const end = index + match.length
    const isApart = value.startsWith(closing, end) || index === parts.at(-1)?.end
    const entity = /^.*&(?:lt|quot|apos|#39);$/is.exec(value.slice(0, index)) !== null
    const skipped = SCHEME.test(value.slice(0, index)) ? (BEFORE_ENCODED.exec(match)?.[0].length ?? 0) : 0
    const start = skipped > 0 ? index + skipped : isApart && !entity ? index + signs.length : index
    const text = value.slice(start, end)
    if (isAddress(text)) parts.push({ start, end, text: text.toLowerCase() })
  }
  return parts
}

export function adviseAddress(failure: Failure, sent: string, isAddress: (text: string) => boolean): Failure {
  // A byte order mark is white space to a regular expression, but divides nothing.
  const value = sent.replaceAll('\ufeff', '\u200b')
  const parts = addressesIn(value, isAddress)
  const isPartly = value.split('@').length - 1 > parts.length && SEVERAL.test(value)
  if (areSeveral(parts) || isPartly) return severalValues(failure)
  const [part] = parts
  if (part === undefined) return failure
  const [before, behind] = [value.slice(0, part.start), value.slice(part.end)]
  // The at sign stands for the address, so that what touches it is no other one.
  if ([`${before}@`, `@${behind}`].some((side) => hasRival(side, part))) return severalValues(failure)
  const proof = ENCODED.test(part.text) ? undefined : proofOf(before, behind, part)
  if (proof === undefined) return failure
  const start = [...before].length
  return cutOut(failure, before, behind, { start, end: start + part.end - part.start, proof })
}

function cutOut(failure: Failure, before: string, behind: string, span: ProvedSpan): Failure {
  if (span.proof === 'own label') return { ...LABEL_FAILURE, span }
  const [isNamed, isFollowed] = [before, behind].map((side) => HAS_TEXT.test(side.replace(ENTITY, '')))
  if (isNamed || (isFollowed && before.trim() !== ''))
    return { ...withoutPlace(failure), hint: 'display_name', span }
  if (!isFollowed && span.proof === 'closed around')
    return { ...withoutPlace(failure), hint: 'remove_quotes', span }
  if (isFollowed || MORE_THAN_A_SIGN.test(behind))
    return { ...placedAt(failure, span.end), hint: 'remove_text_behind', span }
  if (failure.hint === 'trailing_dot') return failure
  const position = before.trim() === '' ? span.end : before.search(/\S/)
  return { ...placedAt(failure, failure.position ?? position), hint: 'remove_character', span }
}

/** A sign that a blank divides from the address, or several signs. */
const MORE_THAN_A_SIGN = /^\s+\S|^[!-~]{2}/
const INVISIBLE = '\\s\\p{Default_Ignorable_Code_Point}\\p{Bidi_Control}'
const BLANK = new RegExp(`^[${INVISIBLE}]*$`, 'u')
/** Signs that a blank divides from the address, such as a bullet. */
const BULLET = /^[^\p{L}\p{N}]*\s$/u
const BLANK_IN_FRONT = new RegExp(`^[${INVISIBLE}]+`, 'u')
const BLANK_BEHIND = new RegExp(`[${INVISIBLE}]+$`, 'u')
/** Punctuation that ends a sentence or divides a list, alone or with text behind a blank. */
const PUNCTUATED = /^[,;.:!?]+(?:\s|$)/
/** What a space alone divides from the address may be the rest of the domain. */
const TEXT_BEHIND = /^\s+(?:[^\p{L}\p{N}_\s.]|(?!\s*(?!\d+\s*$)[a-z0-9-]+(?:\.[a-z0-9-]+)*\s*$))/u

/** What shows that the address is whole and what stands around it is not of it. */
function proofOf(before: string, behind: string, part: Part): Proof | undefined {
  const inside = before.replace(BLANK_BEHIND, '')
  if (SCHEME.test(inside) || (OWN_LABEL.test(inside) && isDivided(behind, part))) {
    const isWhole =
      isDivided(behind, part) || /^(?:\?[a-z]+=|%(?:3e|22|20))/i.test(behind) || isClosed(inside, behind)
    return isWhole ? 'own label' : undefined
  }
  if (isClosed(before, behind)) return 'closed around'
  const isApart = BLANK.test(before) || BULLET.test(before) || isApartFrom(before, part)
  return isApart && isDivided(behind, part) ? 'divided' : undefined
}

function isDivided(behind: string, { text }: Part): boolean {
  if (BLANK.test(behind)) return true
  if (!isTopLevelDomain(text.slice(text.lastIndexOf('.') + 1))) return false
  return PUNCTUATED.test(behind) || TEXT_BEHIND.test(behind)
}

function isClosed(before: string, behind: string): boolean {
  const [inner, outer] = [
    before.replace(BLANK_BEHIND, '').replace(/(?:smtp|mailto|sips?|xmpp):$/i, ''),
    behind.replace(BLANK_IN_FRONT, ''),
  ]
  return Object.entries(CLOSING).some(
    ([open, close]) =>
      inner.endsWith(open) && [close, ALSO_CLOSING[open] ?? close].some((each) => outer.startsWith(each)),
  )
}

/** An address that may have lost its at sign, and no web address nor a name in the domain of the other. */
const RIVAL =
  /(?<![^\s,;<>()[\]"])(?!\W{0,3}(?:www\.|\w+:\/\/))[^\s@,;<>()[\]"]+\.(?:[a-z]{2,}|xn--[a-z0-9-]+)(?![^\s,;|<>()[\]"'`*.])/gi

function hasRival(side: string, { text }: Part): boolean {
  const domain = text.slice(text.indexOf('@') + 1)
  return (side.match(RIVAL) ?? []).some((rival) => {
    const name = rival.toLowerCase()
    const isOfDomain = name.endsWith(domain) && !/[a-z0-9-]$/.test(name.slice(0, -domain.length))
    return !isOfDomain && name.length > 4
  })
}

/**
 * Words that a space alone divides from the address may be the rest of the local part, unless they are three, a name of
 * two words, or one that the local part has as well.
 */
function isApartFrom(before: string, { text }: Part): boolean {
  const [name] = /(?<!\p{L})\p{L}{3,}(?=\s+$)/u.exec(before) ?? []
  if (name !== undefined && text.startsWith(name.toLowerCase())) return true
  return /(?:[:,;|/>)\u2022\u2010-\u2015-][*_]*\s+|^\s*\d+\.\s+|\t\s*|(?:\p{Lu}.*|\S\s+\S+)\s\S+\s+)$/su.test(
    before,
  )
}
