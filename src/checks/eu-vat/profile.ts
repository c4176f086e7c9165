import { defineProfile, layers } from '../profile.ts'
import * as shared from '../shared-profile.ts'
import { numberLabels } from '../text/label-prefix.ts'
import { PREFIX, vatState } from './vat-state.ts'

const CHECKSUM_FAILED = layers('passed', 'failed', 'not_checked')

export const EU_VAT = defineProfile({
  type: 'eu-vat',
  ruleset: 'eu-vat:vies-q11-2026-05-7',
  aliases: ['vat', 'vat-id', 'vat-number'],
  labels: numberLabels(
    'VAT',
    'VATIN',
    'VAT ID',
    'UST ID',
    'BTW',
    'UID',
    'TVA',
    'P IVA',
    'PARTITA IVA',
    'NIP',
  ),
  outline: {
    kind: 'letters and digits',
    sizes: [],
    sizesOf: (vat) => vatState(vat)?.lengths.map((length) => PREFIX + length) ?? [],
    fits,
    country: { alone: /^([A-Z]{2}|ATU)$/i, start: /^[A-Z]{2}/i },
    shortest: 4,
  },
  mask: {
    pattern: '^[A-Z]{2}(•{2,7}|•{6,10}[0-9A-Z+*]{2})$',
    words:
      'prefix, bullets, last two characters; nothing but bullets where the national part has fewer than eight',
  },
  notChecked: Object.freeze(['VIES registration']),
  normalization: ['trimmed', 'separators_removed', 'uppercased'],
  codes: {
    ...shared.NUMBER_CODES,
    prefix_missing: 'the first two characters are not letters',
    country_not_eu: 'the prefix is of no member state',
    use_el_prefix: 'Greece is EL',
    gb_not_eu: 'the United Kingdom left; Northern Ireland is XI',
    oss_ioss_number: 'a number of the one-stop or import scheme',
    format: 'not the structure of that state',
    all_zero: shared.ALL_ZERO_CODE,
    checksum: shared.CHECKSUM_CODE,
    checksum_impossible: shared.CHECKSUM_IMPOSSIBLE_CODE,
  },
  reasons: {
    ...{ invalid_character: null, format: null },
    ok: 'The prefix and structure fit a VAT number of the state named in the details.',
    empty: 'The value is empty; a VAT number has a prefix of two letters and at least two more characters.',
    label_prefix: 'The value starts with a label; send the VAT number alone.',
    prefix_missing:
      'The value does not start with two letters; a VAT number starts with the prefix of its member state.',
    country_not_eu: 'The first two letters are not the VAT prefix of a member state or of Northern Ireland.',
    use_el_prefix: 'The prefix is GR; Greek VAT numbers start with EL.',
    gb_not_eu: 'The prefix is British; British VAT numbers are not EU VAT numbers.',
    oss_ioss_number:
      'This has the shape of a one-stop-shop number; no member state issues it as a VAT number.',
    all_zero: 'The ten digits are all zeros; no such Polish VAT number is issued.',
    checksum: 'The last digit does not fit the first nine digits of the Polish VAT number.',
    checksum_impossible:
      'The first nine digits would need the check digit 10; no Polish VAT number starts with them.',
  },
  failedLayers: { checksum: CHECKSUM_FAILED, checksum_impossible: CHECKSUM_FAILED },
  formatFailed: layers('failed', 'not_checked', 'not_checked'),
  hints: {
    ...shared.NUMBER_HINTS,
    add_country_prefix:
      'Put the two-letter VAT prefix of the member state in front (EL for Greece, XI for Northern Ireland).',
    austrian_without_u:
      'An Austrian VAT number has a U between the prefix AT and the eight digits. Compare the prefix with the source, then add the U.',
    belgian_nine_digits: {
      words: 'A Belgian VAT number of nine digits is the old form. Put a 0 in front of the digits.',
      mend: ['^(..)', '$010'],
    },
    check_prefix:
      'Compare the first two letters with the document. Only the 27 member states and Northern Ireland (XI) have EU VAT numbers.',
    czech_slash: {
      words: 'A Czech birth number is written with a slash. Remove the slash in a VAT number.',
      mend: 'remove',
    },
    dutch_without_leading_zeros:
      'A Dutch VAT number has nine digits before the B. It would fit with zeros in front: compare with the source.',
    dutch_without_suffix:
      'A Dutch VAT number ends with B and two digits. Ask for the btw-id; this looks like the RSIN or the older number.',
    french_siren_without_key: shared.FRENCH_SIREN,
    french_siret: shared.FRENCH_SIRET,
    gb_left_eu:
      'The United Kingdom left the EU VAT area on 1 January 2021. Northern Ireland uses the prefix XI; other British numbers are not EU VAT numbers.',
    german_w_idnr:
      'This is a German Wirtschafts-Identifikationsnummer. The VAT number (USt-IdNr.) is a number of its own; without the five digits at the end this has its shape.',
    greek_eight_digits:
      'This may be the old form of a Greek VAT number, with eight digits. Compare with the source, then put a 0 in front of them.',
    hungarian_domestic_number: {
      words:
        'This is the Hungarian domestic tax number of eleven digits. Its first eight digits are the EU VAT number.',
      mend: ['^([^0-9]*(?:[0-9][^0-9]*){8}).*', '$1'],
    },
    ksef_number: shared.KSEF_NUMBER,
    leading_zero_lost: { words: shared.LEADING_ZERO_LOST, mend: 'put_zeros' },
    one_stop_shop:
      'This is the shape of a one-stop-shop (OSS, IOSS) number. VIES does not know it; ask for the VAT number of a member state.',
    placeholder_value: shared.PLACEHOLDER_VALUE,
    prefix_twice: shared.PREFIX_TWICE,
    romanian_cnp: shared.ROMANIAN_CNP,
    swedish_without_01:
      'This looks like an organisation number. A Swedish VAT number has 01 after the ten digits. Compare the prefix with the source, then add 01.',
    'use_prefix:EL': { words: 'The VAT prefix of Greece is EL. Replace GR with it.', mend: ['^..', 'EL'] },
  },
  warnings: {
    national_check_failed: shared.NATIONAL_CHECK_FAILED,
    office_prefix_unassigned: shared.OFFICE_PREFIX_UNASSIGNED,
  },
  facts: {
    length: shared.lengthFact(
      shared.SOME_LENGTHS,
      'The right number of characters after the prefix, or all of them.',
    ),
    ...shared.NUMBER_FACTS,
    ...shared.COUNTRY_FACTS,
    format: shared.textFact('The structure the number has, e.g. PL9999999999.'),
    formats: {
      items: { type: 'string' },
      description: 'The structures of the state, where the number has none of them.',
    },
    nationalCheck: {
      description: "The state's own check-digit rule; decides for PL only.",
      properties: { algorithm: { type: 'string' }, result: { enum: ['passed', 'failed'] } },
    },
    euMember: shared.flagFact('False for Northern Ireland (XI).', 'EU member'),
  },
})

/** It may end in letters only if a format of its country does: "IE 3206488 LH", but not "AT 12345678 A". */
function fits(vat: string): boolean {
  const { formats = [] } = vatState(vat)?.state ?? {}
  const mayEnd = /\d$/.test(vat) || formats.some((format) => !format.endsWith('9'))
  return mayEnd && /^[A-Z\d+*]*\d[A-Z\d+*]*$/.test(vat)
}
