/**
 * What the written forms of each type look like, for finding where a value begins and ends.
 *
 * Only the outline counts (length, groups, country letters). Nothing here asks whether a value is valid, so a free
 * answer tells nothing about it.
 */

import { ibanCountry } from '../../../../checks/iban/countries.ts'
import type { Skill } from '../../../../skills/skill.ts'

export interface ValueShape {
  /** Country letters that may stand apart before the rest: "PL 526-025-02-74". */
  readonly prefix?: RegExp
  /** The value is incomplete without country letters. */
  readonly needsPrefix?: boolean
  /** Sizes, in letters and digits, of a value that is written in several words without its prefix. */
  readonly sizes: readonly number[]
  /** How the words of such a value may be cut; any cut where there is no rule. */
  readonly cut?: (groups: readonly string[]) => boolean
  /** Letters alone may be a group inside or behind the digits: "GB29 NWBK 6016", "IE 3206488 LH". */
  readonly tail?: 'none' | 'short' | 'regular'
}

/** What is known of a type beside its sizes. */
const SHAPES: Readonly<Record<string, Omit<ValueShape, 'sizes'>>> = {
  iban: {
    prefix: /^[A-Za-z]{2}$/,
    needsPrefix: true,
    tail: 'regular',
    cut: isIbanCut,
  },
  'eu-vat': {
    prefix: /^([A-Za-z]{2}|ATU|CHE)$/i,
    needsPrefix: true,
    tail: 'short',
    cut: isVatCut,
  },
  'pl-nip': { prefix: /^PL$/i },
}

/** Countries whose VAT numbers may have letters of their own between the country and the digits. */
export const LETTERS_FIRST = /^(AT|ES|FR|XI)$/
/** Countries whose VAT numbers end in letters, or hold one among the digits. */
export const LETTERS_LAST = /^(CY|ES|IE|NL)/i
/** Countries with letters at either place, but for Austria, whose U is joined to the country or to the digits. */
export const LETTERS_APART = /^(CY|ES|FR|IE|NL|XI)/i

/** The shape of a type's written forms. */
export const shapeOf = ({ id, words }: Skill): ValueShape => ({ ...SHAPES[id], sizes: words.sizes })

/** Groups of four, or check digits apart from the rest: "DE89 3704 …", "DE 89 3704 …", "DE89 370400440532013000". */
function isIbanCut(groups: readonly string[]): boolean {
  const rest = groups.slice(groups[0]?.length === 2 ? 1 : 0)
  if (rest.length <= 1) return true
  if (rest.length === 2 && rest[0]?.length === 4 && sizeOf(rest[1] ?? '') > 4) return true
  return rest.slice(0, -1).every((group) => sizeOf(group) === 4) && sizeOf(rest.at(-1) ?? '') <= 4
}

/** Short groups, or one long one with two digits before it or a short tail with a letter: "12 123456789", "6433435 OA". */
function isVatCut(groups: readonly string[]): boolean {
  const long = groups.findIndex((group) => sizeOf(group) > 5)
  if (long < 0) return true
  const [before, after] = [groups.slice(0, long), groups.slice(long + 1)]
  return (
    before.every((group) => sizeOf(group) <= 2) &&
    before.length <= 1 &&
    after.every((group) => /[A-Z]/i.test(group) && sizeOf(group) <= 3)
  )
}

/**
 * The type that a value's shape alone tells; undefined for most, and for bare digits always. The ids of invoices, of
 * importers (EORI) and of creditors (SEPA) begin like an IBAN too, so the country and its length count.
 */
export function typeByShape(value: string): 'email' | 'iban' | undefined {
  if (value.includes('@')) return 'email'
  const compact = value.replace(/[ .\-\t\r\n]/g, '').toUpperCase()
  if (!/^[A-Z]{2}\d{2}[A-Z0-9]+$/.test(compact)) return undefined
  return ibanCountry(compact)?.length === compact.length ? 'iban' : undefined
}

/** The countries of VAT numbers, and neighbours whose numbers are taken for them. */
const VAT_COUNTRY =
  /^(AT|BE|BG|CY|CZ|DE|DK|EE|EL|GR|ES|FI|FR|HR|HU|IE|IT|LT|LU|LV|MT|NL|PL|PT|RO|SE|SI|SK|XI|GB|CH|NO)/i

/** True when a value has the outline of its type, so that it is seldom another number, or the type has no known one. */
export function looksLike(value: string, skill: Skill): boolean {
  if (skill.id === 'email') return value.includes('@')
  const { needsPrefix, prefix, sizes } = shapeOf(skill)
  if (sizes.length === 0) return true
  const letters = /^\p{L}*/u.exec(value)?.[0] ?? ''
  if (skill.id === 'iban') return /^\p{L}{2}[ .-]?\p{N}{2}/u.test(value) && sizes.includes(sizeOf(value))
  if (needsPrefix === true) return VAT_COUNTRY.test(letters) && sizes.includes(sizeOf(value) - 2)
  const digits = prefix?.test(letters) === true ? value.slice(letters.length) : value
  return /^[\d .\-–/]+$/.test(digits) && sizes.includes(sizeOf(digits))
}

/** Forms of what no type is: dates, UUIDs, hashes and addresses of a chain, versions and amounts. */
const OTHER_FORMS = [
  /^(\d{4}([-./])\d{1,2}\2\d{1,2}|\d{1,2}([-./])\d{1,2}\3(\d{2}|\d{4}))$/,
  /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i,
  /^0x[\da-f]+$/i,
  /^(v\d+(\.\d+)*|\d{1,2}(\.\d{1,3}){1,2})$/i,
]

/** "2026-11-23", "c2e6ed75-890d-4d66-bb61-f194f4d42013", "0x833589fC", "1.2.0". */
export const isOtherForm = (value: string): boolean => OTHER_FORMS.some((form) => form.test(value))

/** Letters and digits of a text. */
export const sizeOf = (text: string): number => text.replace(/[^\p{L}\p{N}]/gu, '').length
