/** Account numbers as countries write them without an IBAN: the BBAN, or bank and account apart. */
import { isMasked } from '../advice/foreign-character.ts'
import { IBAN_COUNTRIES, type IbanCountry } from './countries.ts'
import { misfitOffset } from './judge-iban.ts'
import { ibanNationalCheck } from './national/national-check.ts'
import { fitsIban } from './suspects.ts'

/** Bank and account, without spaces around the signs: Germany, Czechia and Slovakia, Hungary, United Kingdom and Ireland, Denmark. */
const WRITTEN =
  /^(?:\d{3} ?\d{3} ?\d{2}\/\d[\d ]{4,12}|(?:\d{2,6}-)?\d{2,10}\/\d{4}|\d{8}-\d{8}|(?:\d\d[- ]?){3}[ /,]\d{8}|\d{4}[ -]\d{10})$/
const LABELLED =
  /\b(?:(?:BLZ|Bankleitzahl)\D{0,3}(?:(?:\d ?){8}|\d{5})|sort[ -]?code\D{0,3}(?:\d\d[- ]?){3}|ABI\D{0,3}\d{5}\D+CAB\D{0,3}\d{5})(?!\d)/i

const NAME =
  /^[^\p{L}\p{N}]*(?:(?:nr|no|numer|bank)[. ]+)*(?:konta|konto|nrb|rachun\p{L}+|account|acct|a\/c|cuenta|ccc|compte|rib|conto|rekening|účet|bban)[^\p{L}\p{N}]+(?:(?:nr|no)[^\p{L}\p{N}]+)?/iu

export function nationalAccount(value: string): 'add_country_code' | 'add_country_code:PL' | undefined {
  const bban = value
    .replace(NAME, '')
    .replace(/[^0-9A-Za-z]/g, '')
    .toUpperCase()
  if (isMasked(value) || /[^\P{L}A-Za-z]/u.test(value)) return undefined
  if (isPolish(bban)) return 'add_country_code:PL'
  const isAccount =
    // Two letters in front are a country; four are a bank.
    (/^(?:[A-Z]?\d|[A-Z]{4}[0-9A-Z]*\d)/.test(bban) &&
      IBAN_COUNTRIES.some((each) => isWithoutCountry(bban, each))) ||
    WRITTEN.test(value.trim().replace(/\s*([-/,])\s*/g, '$1')) ||
    LABELLED.test(value)
  return isAccount ? 'add_country_code' : undefined
}

/** Poland writes accounts with the check digits of the IBAN, and without its country code. */
const isPolish = (nrb: string): boolean =>
  /^\d{26}$/.test(nrb) && fitsIban(`PL${nrb}`) && ibanNationalCheck('PL', nrb.slice(2)) !== 'failed'

/** Numbers of persons and companies have fewer digits. */
const ACCOUNT_DIGITS = 15

/** Whether a value is an IBAN without its country code, or an account number of the country. */
function isWithoutCountry(bban: string, { code, structure, length, kinds }: IbanCountry): boolean {
  if (fitsIban(code + bban)) return true
  const iban = `${code}00${bban}`
  if (iban.length !== length || misfitOffset(iban, kinds) < length) return false
  if (bban.charAt(1) > '9') return structure.startsWith('4!a')
  return bban.length >= ACCOUNT_DIGITS || ibanNationalCheck(code, bban) === 'passed'
}
