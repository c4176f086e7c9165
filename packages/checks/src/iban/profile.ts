import { defineProfile, layers } from '../profile.ts'
import * as shared from '../shared-profile.ts'
import { numberLabels } from '../text/label-prefix.ts'
import { IBAN_COUNTRIES, ibanCountry } from './countries.ts'
import { IBAN_RELEASE, TWO_SHOWN } from './registry.ts'

const CHECKSUM_FAILED = layers('passed', 'failed', 'not_checked')

const TWO = [...TWO_SHOWN].join('|')

export const IBAN = defineProfile({
  type: 'iban',
  ruleset: `iban:swift-r${IBAN_RELEASE}-8`,
  aliases: ['iban-number'],
  // Also labels of a VAT number, which is the next field of many invoices.
  labels: numberLabels('IBAN', 'VAT', 'VAT ID'),
  kinds: ['an account number', 'a VAT number'],
  ending: /^(?:EUR|PLN|CHF|USD|GBP|CZK|HUF|SEK|DKK|NOK|RON|BGN)(?![\p{L}\p{N}])/iu,
  outline: {
    kind: 'letters and digits',
    sizes: [...new Set(IBAN_COUNTRIES.map(({ length }) => length))],
    sizesOf: (iban) => [ibanCountry(iban)?.length ?? []].flat(),
    fits: (iban) => /^[A-Z]{2}\d{2}[A-Z\d]+$/.test(iban),
    isTelling: true,
    shortest: 12,
  },
  mask: {
    pattern: `^((${TWO}).{16,20}[0-9A-Z]{2}|[A-Z]{2}.{9,28}[0-9A-Z]{4})$`.replaceAll('.', '•'),
    words:
      'country, bullets, last four characters, of AT, CH, CZ, DE, LI and SK the last two: DE + 18 x U+2022 + 00',
  },
  notChecked: Object.freeze(['account existence', 'bank existence']),
  normalization: ['trimmed', 'separators_removed', 'uppercased'],
  codes: {
    ...shared.NUMBER_CODES,
    country_missing: 'the first two characters are not letters',
    country_not_in_registry: 'the two letters are not a country code in the registry',
    length: shared.LENGTH_CODE,
    check_digits_format: 'the third and fourth character are not digits',
    structure: 'a letter stands where a digit belongs, or the other way round',
    check_digits_out_of_range: 'check digits 00, 01 or 99',
    checksum: shared.CHECKSUM_CODE,
  },
  reasons: {
    ...{ invalid_character: null, length: null, check_digits_format: null, structure: null },
    ok: 'The country, length, structure and check digits fit the IBAN registry.',
    empty: 'The value is empty; an IBAN has 15 to 33 characters.',
    label_prefix: 'The value starts with a label; send the IBAN alone.',
    country_missing: 'The value does not start with two letters; an IBAN starts with its country code.',
    country_not_in_registry: 'The first two letters are not a country code in the IBAN registry.',
    check_digits_out_of_range: 'The check digits are 00, 01 or 99; those of an IBAN lie between 02 and 98.',
    checksum: 'The check digits do not fit the rest of the IBAN: a character is wrong or two are swapped.',
  },
  failedLayers: { check_digits_out_of_range: CHECKSUM_FAILED, checksum: CHECKSUM_FAILED },
  formatFailed: layers('failed', 'not_checked', 'not_checked'),
  hints: {
    ...shared.NUMBER_HINTS,
    add_country_code:
      'This looks like a national account number. Put the country code and the check digits in front, as the bank prints them; they are not guessed.',
    'add_country_code:PL': {
      words: 'This is a Polish account number. Put PL in front; the check digits are there.',
      mend: ['^\\D*', 'PL'],
    },
    check_country_code:
      'Compare the first two letters with the bank details. Many countries, the United States and Canada among them, issue no IBANs.',
    digits_lost:
      'A spreadsheet keeps fifteen digits of a number and writes zeros for the others. They are lost: take the number from the source and store it as text.',
    extra_character: shared.EXTRA_CHARACTER,
    prefix_twice: shared.PREFIX_TWICE,
    unofficial_format_known:
      'The country uses account numbers in the shape of an IBAN, but has not registered them with SWIFT. They cannot be checked; ask the bank.',
    'use_parent_prefix:FI': 'The territory has no IBANs of its own. Its accounts have the country code FI.',
    'use_parent_prefix:FR': 'The territory has no IBANs of its own. Its accounts have the country code FR.',
    'use_parent_prefix:GB': 'The territory has no IBANs of its own. Its accounts have the country code GB.',
    'use_prefix:GB': {
      words: 'The country code of the United Kingdom is GB. Replace UK with it.',
      mend: ['^..', 'GB'],
    },
    'use_prefix:GR': { words: 'The country code of Greece is GR. Replace EL with it.', mend: ['^..', 'GR'] },
  },
  warnings: {
    national_check_failed: shared.NATIONAL_CHECK_FAILED,
    sepa_depends_on_territory:
      'New Caledonia, French Polynesia and Wallis and Futuna use the country code FR and are outside SEPA. The IBAN alone does not tell them apart from France.',
    bank_code_unknown:
      'The list that `details.bankCode` names, of the day given there, has no such bank code. Compare with the source: a bank may be newer than the list.',
  },
  facts: {
    length: shared.lengthFact(shared.ONE_LENGTH, 'The right length.'),
    ...shared.NUMBER_FACTS,
    ...shared.COUNTRY_FACTS,
    sepa: shared.flagFact(
      'Whether the country takes part in the SEPA schemes; see the warning sepa_depends_on_territory.',
      'SEPA',
    ),
    eea: shared.flagFact(
      'Whether the country is in the European Economic Area; payers outside must give their address. Absent for FR, which territories outside the area use as well.',
      'EEA',
    ),
    structure: shared.textFact(
      'Structure of the part after the check digits in registry notation, e.g. 8!n10!n.',
    ),
    segments: {
      description: "Offsets into the caller's own compact upper-case IBAN.",
      items: {
        properties: {
          name: { enum: ['bank', 'branch', 'account', 'check'] },
          start: { type: 'integer', minimum: 4 },
          end: { type: 'integer', maximum: 34, description: 'Exclusive.' },
        },
      },
    },
    qrIban: shared.flagFact('Whether this is an account number for Swiss QR bills.', 'QR-IBAN'),
    nationalCheck: shared.choiceFact(
      ['passed', 'failed', 'not_checked', 'not_applicable'],
      'Check digits inside the account number; never the verdict. not_checked if no rule is known that holds for every account of the country.',
    ),
    bank: {
      description:
        'The bank whose code stands in the number, by the list of its country (AT, CH, CZ, DE, LI, PL, SK); absent if the code is not listed. A listed code does not prove that bank or account exist.',
      properties: {
        name: { type: 'string' },
        bic: shared.textFact('As listed.', '^[A-Z0-9]{8}([A-Z0-9]{3})?$'),
      },
      optional: ['bic'],
    },
    bankCode: {
      description: 'Whether the list of the country has the bank code; for AT, CZ, DE and PL.',
      properties: {
        result: { enum: ['listed', 'unlisted'] },
        source: shared.textFact('The list.'),
        asOf: shared.textFact(
          'The day of the list, or, if the list has none, that on which it was fetched.',
          '^\\d{4}-\\d\\d-\\d\\d$',
        ),
      },
    },
  },
})
