/**
 * Whether a part of a text has the outline of a value, as its check's profile draws it: its country, its length and where it
 * has digits. It shows where a value ends in a text. It does not depend on checksums, so a free answer does not tell
 * whether a value is valid.
 */
import type { Skill } from '../../../../catalog/skill.ts'

type Outlined = Pick<Skill, 'outline'>

export function fitsOutline({ outline }: Outlined, written: string): boolean {
  const { kind, sizes, sizesOf, fits, prefix = '' } = outline
  if (kind === 'text') return fits?.(written) ?? written !== ''
  const compact = compactValue(written)
  const number = compact.startsWith(prefix) ? compact.slice(prefix.length) : compact
  const isKind = fits?.(number) ?? (kind === 'digits' ? /^\d+$/ : /^[A-Z\d]*\d[A-Z\d]*$/).test(number)
  const isSize = (sizesOf?.(number) ?? sizes).includes(number.length)
  return isKind && isSize && outline.country?.start.test(number) !== false
}

/** Whether a value is shorter than any that begins like it. */
export function isCutShort({ outline }: Outlined, written: string): boolean {
  const { sizes, sizesOf } = outline
  const compact = compactValue(written)
  const known = sizesOf?.(compact) ?? sizes
  return compact.length < (known.length > 0 ? Math.min(...known) : Math.max(0, ...sizes))
}

export const hasCountry = ({ outline }: Outlined): boolean => outline.country !== undefined

/** Whether a number of a country stands without the country's letters. */
export const isWithoutCountry = ({ outline }: Outlined, written: string): boolean =>
  outline.country?.start.test(written) === false

export const compactValue = (written: string): string =>
  written.replace(/[ \t\r\n.\-\u2010\u2011\u2013]/g, '').toUpperCase()

/** Dates, UUIDs, hashes and addresses of a chain, versions and amounts, none of which is a value. */
const OTHER_FORMS = [
  /^(\d{4}([-./])\d{1,2}\2\d{1,2}|\d{1,2}([-./])\d{1,2}\3(\d{2}|\d{4})?)$/,
  /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i,
  /^0x[\da-f]+$/i,
  /^(v\d+(\.\d+)*|\d{1,2}(\.\d{1,3}){1,2})$/i,
]

/** "2026-11-23", "c2e6ed75-890d-4d66-bb61-f194f4d42013", "0x833589fC", "1.2.0". */
export const isOtherForm = (value: string): boolean => OTHER_FORMS.some((form) => form.test(value))
