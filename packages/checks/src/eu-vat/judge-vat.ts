import { judgeNipDigits } from '../pl-nip/nip-digits.ts'
import type { CodeOf } from '../profile.ts'
import { CHARS, UPPER } from '../text/char-kind.ts'
import type { EU_VAT } from './profile.ts'
import { formatOf, PREFIX, vatState } from './vat-state.ts'

export type VatCode = Exclude<CodeOf<typeof EU_VAT>, 'label_prefix'>

export function judgeVat(vat: string): VatCode {
  if (vat.length === 0) return 'empty'
  const state = vatState(vat)
  if (state !== undefined && formatOf(vat, state) !== undefined) {
    return state.state.prefix === 'PL' ? judgeNipDigits(vat, PREFIX) : 'ok'
  }
  // Only old Irish numbers have "+" and "*".
  if (state?.state.prefix !== 'IE' && /[+*]/.test(vat)) return 'invalid_character'
  if (state !== undefined) return 'format'
  return isUpperAt(vat, 0) && isUpperAt(vat, 1) ? foreignPrefixCode(vat) : 'prefix_missing'
}

export function isUpperAt(vat: string, offset: number): boolean {
  return (CHARS[vat.charCodeAt(offset)]! & UPPER) !== 0
}

const ONE_STOP_SHOP: ReadonlyMap<string, RegExp> = new Map([
  ['EU', /^\d{9}$/],
  ['IM', /^\d{10}$/],
  ['IN', /^\d{10}$/],
])

/**
 * The code for a VAT number whose prefix VIES does not have.
 *
 * Sources: Council Directive 2006/112/EC, article 215 (EL for Greece); the Commission's guide to the VAT one-stop shop
 * (EU and nine digits for the non-union scheme, IM and IN and ten for imports and their intermediaries).
 */
function foreignPrefixCode(vat: string): VatCode {
  const prefix = vat.slice(0, PREFIX)
  if (prefix === 'GR') return 'use_el_prefix'
  if (prefix === 'GB' || prefix === 'UK') return 'gb_not_eu'
  return ONE_STOP_SHOP.get(prefix)?.test(vat.slice(PREFIX)) === true ? 'oss_ioss_number' : 'country_not_eu'
}
