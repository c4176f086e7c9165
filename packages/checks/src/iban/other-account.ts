/** Numbers of payments that are no IBAN. */
import { luhnPasses } from '../arithmetic/luhn.ts'
import { mod97 } from '../arithmetic/mod97.ts'
import { ibanCountry } from './countries.ts'
import { nationalAccount } from './national-account.ts'
import { fitsIban } from './suspects.ts'

/** ISO/IEC 7812: Visa, Mastercard, American Express, Discover, Maestro, Diners Club, JCB. */
const CARD =
  /^(?:4\d{12}(?:\d{3}){0,2}|5[1-5]\d{14}|2[2-7]\d{14}|3[47]\d{13}|6\d{15}|3(?:0[0-5]|[68]\d)\d{11}|35\d{14})$/
/**
 * EPC262-08: country, check digits over all but the business code, three characters of that code, national identifier. With another
 * code than the usual ZZZ, one in a hundred mistyped IBANs looks like it.
 */
const CREDITOR = /^([A-Z]{2}\d\d)ZZZ([0-9A-Z]{1,28})$/
/** Of a Polish account without its country code, fifteen digits that a spreadsheet kept. */
const CUT_TO_FIFTEEN = /^\d{15}0{11}$/

export function otherAccount(value: string) {
  const compact = value.replace(/[\s.-]/g, '').toUpperCase()
  if (CARD.test(compact) && luhnPasses(compact)) return { kind: 'a payment card number' }
  const [, head, national] = CREDITOR.exec(compact) ?? []
  if (head !== undefined && ibanCountry(head)?.sepa === true && mod97(`${national}${head}`) === 1)
    return { kind: 'a SEPA creditor identifier' }
  if (CUT_TO_FIFTEEN.test(compact) && !fitsIban(`PL${compact}`)) return 'digits_lost'
  return nationalAccount(value)
}
