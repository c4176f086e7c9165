/** Every hint and warning that a verdict can have: the table behind types, output schemas and the published list. */
import type { CheckType } from '../verdict.ts'

export interface Advice {
  readonly types: readonly CheckType[]
  /** Those that no longer send the code, because it led to values that were not meant. */
  readonly retired?: readonly CheckType[]
  readonly explanation: string
}

const NUMBERS = ['iban', 'eu-vat', 'pl-nip', 'pl-regon', 'pl-pesel'] as const
const POLISH = ['pl-nip', 'pl-regon', 'pl-pesel'] as const

/** `details.hint` of a refused value: how to mend it. */
export const HINTS = {
  add_at_sign: {
    types: ['email'],
    explanation: 'There is no at sign. Ask for the whole address: name, at sign, domain.',
  },
  add_country_code: {
    types: ['iban'],
    explanation:
      'This looks like a national account number. Put the country code and the check digits in front, as the bank prints them; they are not guessed.',
  },
  add_country_prefix: {
    types: ['eu-vat'],
    explanation:
      'Put the two-letter VAT prefix of the member state in front (EL for Greece, XI for Northern Ireland).',
  },
  add_top_level_domain: {
    types: ['email'],
    explanation: 'The domain has one part only. Add the ending, such as ".com" or ".pl".',
  },
  austrian_without_u: {
    types: ['eu-vat'],
    explanation:
      'An Austrian VAT number has a U between the prefix AT and the eight digits. Compare the prefix with the source, then add the U.',
  },
  belgian_nine_digits: {
    types: ['eu-vat'],
    explanation: 'A Belgian VAT number of nine digits is the old form. Put a 0 in front of the digits.',
  },
  check_country_code: {
    types: ['iban'],
    explanation:
      'Compare the first two letters with the bank details. Many countries, the United States and Canada among them, issue no IBANs.',
  },
  check_prefix: {
    types: ['eu-vat'],
    explanation:
      'Compare the first two letters with the document. Only the 27 member states and Northern Ireland (XI) have EU VAT numbers.',
  },
  compare_with_source: {
    types: [...NUMBERS, 'email'],
    explanation:
      'What was meant cannot be told from the value with certainty. Compare all of its characters with the source; nothing is to be changed without it.',
  },
  confusable_character: {
    types: [...NUMBERS, 'email'],
    explanation:
      'The character at `position` looks like the right one but is another (the letter O for the digit 0, a small b for 6, g or q for 9, a Cyrillic letter for a Latin one, a dash for a hyphen). Replace it with its look-alike.',
  },
  czech_slash: {
    types: ['eu-vat'],
    explanation: 'A Czech birth number is written with a slash. Remove the slash in a VAT number.',
  },
  display_name: {
    types: ['email'],
    explanation:
      'The value holds a name beside the address. Send only what stands between the angle brackets.',
  },
  dutch_without_leading_zeros: {
    types: ['eu-vat'],
    explanation:
      'A Dutch VAT number has nine digits before the B. It would fit with zeros in front: compare with the source.',
  },
  dutch_without_suffix: {
    types: ['eu-vat'],
    explanation:
      'A Dutch VAT number ends with B and two digits. Ask for the btw-id; this looks like the RSIN or the older number.',
  },
  extra_character: {
    types: NUMBERS,
    retired: ['eu-vat', 'pl-nip', 'pl-regon', 'pl-pesel'],
    explanation:
      'A character may have been typed twice: the value fits without the one at the position in `suspects`. Compare it with the source.',
  },
  french_siren_without_key: {
    types: ['eu-vat'],
    explanation: 'This looks like a SIREN. A French VAT number has a key of two characters in front of it.',
  },
  french_siret: {
    types: ['eu-vat'],
    explanation:
      'This is the number of an establishment (SIRET). Ask for the VAT number: FR, a key of two characters and the first nine of these digits.',
  },
  gb_left_eu: {
    types: ['eu-vat'],
    explanation:
      'The United Kingdom left the EU VAT area on 1 January 2021. Northern Ireland uses the prefix XI; other British numbers are not EU VAT numbers.',
  },
  german_w_idnr: {
    types: ['eu-vat'],
    explanation:
      'This is a German Wirtschafts-Identifikationsnummer. The VAT number (USt-IdNr.) is a number of its own; without the five digits at the end this has its shape.',
  },
  greek_eight_digits: {
    types: ['eu-vat'],
    explanation:
      'This may be the old form of a Greek VAT number, with eight digits. Compare with the source, then put a 0 in front of them.',
  },
  hungarian_domestic_number: {
    types: ['eu-vat'],
    explanation:
      'This is the Hungarian domestic tax number of eleven digits. Its first eight digits are the EU VAT number.',
  },
  leading_zero_lost: {
    types: ['eu-vat', ...POLISH],
    retired: ['pl-nip'],
    explanation:
      'The number would fit with zeros in front, which spreadsheets drop. Compare with the source, put the zeros back if it has them, and store the number as text.',
  },
  masked_value: {
    types: [...NUMBERS, 'email'],
    explanation:
      'The value is masked: characters are hidden behind bullets or asterisks. Send the original value.',
  },
  may_be_nip: {
    types: POLISH,
    retired: POLISH,
    explanation: 'The number fits as a NIP. Ask which number is meant.',
  },
  may_be_pesel: {
    types: POLISH,
    retired: ['pl-pesel'],
    explanation: 'The number fits as a PESEL. Ask which number is meant.',
  },
  may_be_regon: {
    types: POLISH,
    retired: POLISH,
    explanation: 'The number fits as a REGON. Ask which number is meant.',
  },
  old_7_digit_form: {
    types: ['pl-regon'],
    explanation:
      'A REGON of seven digits is the form used before 1990; with two zeros in front it would fit. Compare with the source.',
  },
  one_stop_shop: {
    types: ['eu-vat'],
    explanation:
      'This is the shape of a one-stop-shop (OSS, IOSS) number. VIES does not know it; ask for the VAT number of a member state.',
  },
  placeholder_value: {
    types: ['eu-vat', ...POLISH],
    explanation: 'A number of zeros is a placeholder. Ask for the real number.',
  },
  remove_character: {
    types: [...NUMBERS, 'email'],
    explanation:
      'The character at `position` does not belong to the value. Remove it; others like it may follow.',
  },
  remove_quotes: {
    types: ['email'],
    explanation: 'Quotes, or signs used like them, stand around the address. Send what stands between them.',
  },
  remove_text_behind: {
    types: [...NUMBERS, 'email'],
    explanation:
      'The value is whole, and text such as a currency, a BIC, a name or ".0" follows it. Send what stands before `position`.',
  },
  remove_label: {
    types: [...NUMBERS, 'email'],
    explanation:
      'The value starts with the name of a field, such as "IBAN:", or with other words. Send what follows them.',
  },
  romanian_cnp: {
    types: ['eu-vat'],
    explanation:
      'This looks like a personal number (CNP) of thirteen digits. A Romanian VAT number has two to ten digits.',
  },
  scientific_notation: {
    types: NUMBERS,
    explanation:
      'A spreadsheet has shortened the number, and digits are lost. Store it as text there and send all its digits.',
  },
  several_addresses: {
    types: ['email'],
    explanation: 'The value holds more than one address. Send one address per check.',
  },
  swedish_without_01: {
    types: ['eu-vat'],
    explanation:
      'This looks like an organisation number. A Swedish VAT number has 01 after the ten digits. Compare the prefix with the source, then add 01.',
  },
  trailing_dot: { types: ['email'], explanation: 'The domain ends with a dot. Remove it.' },
  unofficial_format_known: {
    types: ['iban'],
    explanation:
      'The country uses account numbers in the shape of an IBAN, but has not registered them with SWIFT. They cannot be checked; ask the bank.',
  },
  'use_parent_prefix:FI': {
    types: ['iban'],
    explanation: 'The territory has no IBANs of its own. Its accounts have the country code FI.',
  },
  'use_parent_prefix:FR': {
    types: ['iban'],
    explanation: 'The territory has no IBANs of its own. Its accounts have the country code FR.',
  },
  'use_parent_prefix:GB': {
    types: ['iban'],
    explanation: 'The territory has no IBANs of its own. Its accounts have the country code GB.',
  },
  'use_prefix:EL': { types: ['eu-vat'], explanation: 'The VAT prefix of Greece is EL. Replace GR with it.' },
  'use_prefix:GB': {
    types: ['iban'],
    explanation: 'The country code of the United Kingdom is GB. Replace UK with it.',
  },
  'use_prefix:GR': { types: ['iban'], explanation: 'The country code of Greece is GR. Replace EL with it.' },
  use_ascii_digits: {
    types: [...NUMBERS, 'email'],
    explanation: 'The digits are of another script or style. Type them as 0 to 9.',
  },
  use_dot: {
    types: ['email'],
    explanation: 'A comma or a foreign full stop stands where the address needs a dot. Replace it.',
  },
  use_punycode_domain: {
    types: ['email'],
    explanation: 'The domain has letters outside ASCII. Send it in its ASCII form, which starts with "xn--".',
  },
  zero_padded_regon9: {
    types: ['pl-regon'],
    explanation: 'Registers fill a REGON of nine digits up with five zeros. Send the first nine digits.',
  },
} as const satisfies Readonly<Record<string, Advice>>

export type HintCode = keyof typeof HINTS

/** `details.warnings` of a valid value, which do not change the verdict. */
export const WARNINGS = {
  century_not_in_statute: {
    types: ['pl-pesel'],
    explanation: 'The birth date lies after 2099. The code for those centuries is custom, not statute.',
  },
  domain_typo_likely: {
    types: ['email'],
    explanation:
      'The domain differs by one slip from that of a large mail provider, which `suggestedDomain` names. Ask before changing it.',
  },
  idn_not_decodable: {
    types: ['email'],
    retired: ['email'],
    explanation:
      'A part of the domain starts with "xn--" but encodes no name that IDNA 2008 allows. No such domain can be registered.',
  },
  national_check_failed: {
    types: ['iban', 'eu-vat'],
    explanation:
      "The check digits that decide fit, but the country's own check digits inside the number do not. Compare the number with the source.",
  },
  office_prefix_unassigned: {
    types: ['eu-vat', 'pl-nip'],
    explanation:
      'The first three digits name no tax office. The e-invoicing schemas of the Ministry of Finance (JPK, KSeF) refuse such a NIP.',
  },
  sepa_depends_on_territory: {
    types: ['iban'],
    explanation:
      'New Caledonia, French Polynesia and Wallis and Futuna use the country code FR and are outside SEPA. The IBAN alone does not tell them apart from France.',
  },
} as const satisfies Readonly<Record<string, Advice>>

export type WarningCode = keyof typeof WARNINGS

/** In alphabetical order. */
export function codesOf(table: Readonly<Record<string, Advice>>, type: CheckType): readonly string[] {
  return Object.keys(table).filter((code) => table[code]!.types.includes(type))
}
