/** Finds whole addresses inside a value, and says what of it is to be sent. */
import { HAS_TEXT, placedAt, severalValues, withoutPlace } from '../advice/advise.ts'
import { LABEL_FAILURE } from '../advice/foreign-character.ts'
import { areSeveral, type Part } from '../advice/parts.ts'
import type { FailureOf } from '../result.ts'
import type { EMAIL } from './profile.ts'

type Failure = FailureOf<typeof EMAIL>

const ADDRESS = /[A-Za-z0-9!#$%&'*+/=?^_`{|}~.-]+@[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?/g
const SIGNS_IN_FRONT = /^[^A-Za-z0-9]+/
const SEVERAL = /@[^@,;/|\s]*[,;/|\s][^@]*@/

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
    const start = isApart ? index + signs.length : index
    const text = value.slice(start, end)
    if (isAddress(text)) parts.push({ start, end, text: text.toLowerCase() })
  }
  return parts
}

export function adviseAddress(
  failure: Failure,
  value: string,
  isAddress: (text: string) => boolean,
): Failure {
  const parts = addressesIn(value, isAddress)
  const isPartly = value.split('@').length - 1 > parts.length && SEVERAL.test(value)
  if (areSeveral(parts) || isPartly) return severalValues(failure)
  const [part] = parts
  if (part === undefined) return failure
  const [before, behind] = [value.slice(0, part.start), value.slice(part.end)]
  // The at sign stands for the address, so that what touches it is no other one.
  if ([`${before}@`, `@${behind}`].some((side) => hasRival(side, part))) return severalValues(failure)
  const start = [...before].length
  const span = { start, end: start + part.end - part.start }
  if (LABEL.test(before)) return { ...LABEL_FAILURE, span }
  const [isNamed, isFollowed] = [HAS_TEXT.test(before), HAS_TEXT.test(behind)]
  const isCut = TEXT_BEHIND.test(behind) || (isFollowed && CLOSED.test(behind))
  if ((isNamed && !isApartFrom(before, part)) || (isFollowed && !isCut)) return failure
  if (isNamed || (isFollowed && before.trim() !== ''))
    return { ...withoutPlace(failure), hint: 'display_name', span }
  if (isCut && before.trim() === '')
    return { ...placedAt(failure, span.end), hint: 'remove_text_behind', span }
  if (before.trim() !== '' && behind.trim() !== '')
    return { ...withoutPlace(failure), hint: 'remove_quotes', span }
  const isMark = /\S\s+$/.test(before)
  if (isMark) return { ...placedAt(failure, before.search(/\S/)), hint: 'remove_character', span }
  return failure.hint === 'remove_character' && before + behind !== '' ? { ...failure, span } : failure
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

/** The scheme of a link or of an address book. */
const LABEL = /^[^\p{L}\p{N}]*(?:smtp|mailto|sips?|xmpp)\s*[:;]\s*$/iu
/** What a space or comma alone divides from the address may be the rest of the domain. */
const TEXT_BEHIND =
  /^(?:\s+[^\w\s.]|[,;|]?\s+(?!\s*(?!\d+\s*$)[a-z0-9-]+(?:\.[a-z0-9-]+)*\s*$)|[,;|]["',;|]|["\\<>])/
const CLOSED = /^["'`*_~)\]}?&]/

/**
 * Words in front that a space alone divides from the address may be the rest of the local part, unless they are three or a name,
 * which is two words, or one that the local part has as well.
 */
function isApartFrom(before: string, { text }: Part): boolean {
  if (/(?:["'`*<>([{=\u00ab\u201c\u201e]|mailto:)$/i.test(before)) return true
  const [name] = /(?<!\p{L})\p{L}{3,}(?=\s+$)/u.exec(before) ?? []
  if (name !== undefined && text.startsWith(name.toLowerCase())) return true
  return /(?:[:,;|/>)\u2022\u2010-\u2015-][*_]*\s+|^\s*\d+\.\s+|[\t\r\n]\s*|(?:\p{Lu}.*|\S\s+\S+)\s\S+\s+)$/su.test(
    before,
  )
}
