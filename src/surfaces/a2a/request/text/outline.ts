/**
 * The outline of a value of each type: its country, its length and where it has digits. It shows where a value ends in
 * a text. It does not depend on checksums, so a free answer does not tell whether a value is valid.
 */

import type { Skill } from '../../../../catalog/skill.ts'
import { PREFIX, vatState } from '../../../../checks/eu-vat/vat-state.ts'
import { ibanCountry } from '../../../../checks/iban/countries.ts'

export function fitsOutline({ id, words, examples }: Skill, written: string): boolean {
  if (id === 'email') return /^[^@\s]+@[^@\s]+$/.test(written)
  const compact = compactValue(written)
  if (id === 'iban') {
    return /^[A-Z]{2}\d{2}[A-Z\d]+$/.test(compact) && ibanCountry(compact)?.length === compact.length
  }
  if (id === 'eu-vat') return fitsVat(compact)
  const example = compactValue(examples[0].input.value)
  const number = id === 'pl-nip' ? compact.replace(/^PL/, '') : compact
  const isKind = (/\D/.test(example) ? /^[A-Z\d]*\d[A-Z\d]*$/ : /^\d+$/).test(number)
  return isKind && words.sizes.includes(number.length)
}

function fitsVat(compact: string): boolean {
  const found = vatState(compact)
  // It may end in letters only if a format of its country does: "IE 3206488 LH", but not "AT 12345678 A".
  const mayEnd = /\d$/.test(compact) || found?.state.formats.some((format) => !format.endsWith('9')) === true
  const isOne = /^[A-Z\d+*]*\d[A-Z\d+*]*$/.test(compact)
  return isOne && mayEnd && found?.lengths.includes(compact.length - PREFIX) === true
}

export function isCutShort({ id, words }: Skill, written: string): boolean {
  const compact = compactValue(written)
  if (id === 'iban') return compact.length < (ibanCountry(compact)?.length ?? Math.max(...words.sizes))
  if (id === 'eu-vat') return compact.length - PREFIX < (vatState(compact)?.lengths[0] ?? 0)
  return compact.length < Math.min(...words.sizes)
}

export const hasCountry = ({ id }: Skill): boolean => id === 'iban' || id === 'eu-vat'

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
