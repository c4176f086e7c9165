/** What a rejected VAT number is told, beside the code: the structures of its state, a hint for the repair. */
import { ALPHANUMERIC, CHARS, DOT, SEPARATOR, TRIM } from '../char-kind.ts'
import { foreignCharacter } from '../foreign-character.ts'
import { hasLabelPrefix } from '../label-prefix.ts'
import { type Failure, layers, type Profile } from '../result.ts'
import type { VerdictCode } from '../verdict.ts'
import { vatState } from './compiled-states.ts'

const CHECKSUM_FAILED = layers('passed', 'failed', 'not_checked')
const BRITISH_HINT = 'GB left the EU VAT area on 2021-01-01; Northern Ireland uses XI'

export const EU_VAT: Profile = {
  type: 'eu-vat',
  ruleset: 'eu-vat:vies-q11-2026-05',
  notChecked: Object.freeze(['VIES registration']),
  reasons: {
    ok: 'The prefix and structure fit a VAT number of the state named in the details.',
    empty: 'The value is empty.',
    label_prefix: 'The value starts with a label; send the VAT number alone.',
    invalid_character:
      'A VAT number has ASCII letters and digits only, besides spaces, hyphens and full stops between them.',
    prefix_missing: 'A VAT number starts with the two letters of its member state.',
    country_not_eu: 'The first two letters are no VAT prefix of a member state or of Northern Ireland.',
    use_el_prefix: 'Greek VAT numbers start with EL, not GR.',
    gb_not_eu: 'British VAT numbers are not EU VAT numbers.',
    oss_ioss_number:
      'This is the shape of a one-stop-shop number, which no member state issues as a VAT number.',
    format: 'The part after the prefix does not have the structure of that state.',
    all_zero: 'A Polish VAT number of zeros is not issued.',
    checksum: 'The last digit does not fit the first nine digits of the Polish VAT number.',
    checksum_impossible: 'No Polish VAT number starts with these nine digits: their check digit would be 10.',
  },
  failedLayers: { checksum: CHECKSUM_FAILED, checksum_impossible: CHECKSUM_FAILED },
  formatFailed: layers('failed', 'not_checked', 'not_checked'),
}

/** Describes why a value is no VAT number; `vat` is its compact form. */
export function vatFailure(code: VerdictCode, value: string, vat: string): Failure {
  if (code === 'invalid_character') return foreignCharacter(value, plusOrStarIndex(value))
  if (hasLabelPrefix(value)) return { code: 'label_prefix' }
  if (code === 'prefix_missing') return { code, hint: 'add_country_prefix' }
  if (code === 'gb_not_eu') return { code, hint: BRITISH_HINT }
  const found = vatState(vat.charCodeAt(0), vat.charCodeAt(1))
  if (found === undefined) return { code }
  const { state, displays } = found
  const more = { country: state.prefix, countryName: state.country, formats: displays }
  if (code !== 'format') return { code, more }
  return { code, hint: state.legacyHint?.(vat.slice(2)) ?? undefined, more }
}

function plusOrStarIndex(value: string): number {
  const known = ALPHANUMERIC | SEPARATOR | DOT | TRIM
  for (let index = 0; index < value.length; index++) {
    if ((CHARS[value.charCodeAt(index)]! & known) === 0) return index
  }
  return -1
}
