/** What two letters that are no member state's VAT prefix mean. */
import type { VerdictCode } from '../verdict.ts'

/** Digits after the prefix of the numbers of the one-stop shops; they are not in VIES. */
const ONE_STOP_SHOP: ReadonlyMap<string, RegExp> = new Map([
  ['EU', /^\d{9}$/],
  ['IM', /^\d{10}$/],
  ['IN', /^\d{10}$/],
])

/**
 * The code for a compact VAT number whose two letters are no prefix of VIES.
 *
 * Sources: Council Directive 2006/112/EC, article 215 (EL for Greece); the Commission's guide to the VAT one-stop shop
 * (EU and nine digits for the non-union scheme, IM and IN and ten for imports and their intermediaries).
 */
export function foreignVatCode(vat: string): VerdictCode {
  const prefix = vat.slice(0, 2)
  if (prefix === 'GR') return 'use_el_prefix'
  if (prefix === 'GB' || prefix === 'UK') return 'gb_not_eu'
  return ONE_STOP_SHOP.get(prefix)?.test(vat.slice(2)) === true ? 'oss_ioss_number' : 'country_not_eu'
}
