import { defineProfile, layers } from '../profile.ts'
import * as shared from '../shared-profile.ts'
import { numberLabels } from '../text/label-prefix.ts'
import { LEGACY_HINTS } from './legacy-hints.ts'
import { REGISTER_NAMES } from './member-state.ts'
import { MEMBER_STATES } from './member-states.ts'
import { PREFIX, vatState } from './vat-state.ts'

const CHECKSUM_FAILED = layers('passed', 'failed', 'not_checked')

/** A pattern of a prefix behind the number or with words between, and what it is to be replaced with. */
export const PREFIX_APART = [
  '^\\W*(?:([A-Z]{2})\\W+[A-Za-z.]{2,8}\\W+(\\d[\\dA-Z. -]*)|(U?\\d[\\dA-Z. -]*?)[\\s(,-]+([A-Z]{2})\\)?)\\s*$',
  '$1$4$2$3',
] as const

export const EU_VAT = defineProfile({
  type: 'eu-vat',
  ruleset: 'eu-vat:vies-q11-2026-05-8',
  aliases: ['vat', 'vat-id', 'vat-number'],
  kinds: [
    'a NIP',
    'a KSeF number',
    'a one-stop-shop number',
    'a SIRET',
    'a SIREN',
    'a national company number',
    'a VAT number',
  ],
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
    sizes: [...new Set([...MEMBER_STATES.keys()].flatMap(sizesOf))],
    sizesOf,
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
    ...LEGACY_HINTS,
    add_country_prefix:
      'Put the two-letter VAT prefix of the member state in front (EL for Greece, XI for Northern Ireland).',
    check_prefix:
      'Compare the first two letters with the document. Only the 27 member states and Northern Ireland (XI) have EU VAT numbers.',
    czech_slash: {
      words: 'A Czech birth number is written with a slash. Remove the slash in a VAT number.',
      mend: 'remove',
    },
    french_siret: shared.FRENCH_SIRET,
    gb_left_eu:
      'The United Kingdom left the EU VAT area on 1 January 2021. Northern Ireland uses the prefix XI; other British numbers are not EU VAT numbers.',
    ksef_number: shared.KSEF_NUMBER,
    one_stop_shop:
      'This is the shape of a one-stop-shop (OSS, IOSS) number. VIES does not know it; ask for the VAT number of a member state.',
    placeholder_value: shared.PLACEHOLDER_VALUE,
    prefix_apart: {
      words:
        'The prefix stands behind the number, or words stand between the two. Write the prefix right in front of the number.',
      mend: PREFIX_APART,
    },
    prefix_twice: shared.PREFIX_TWICE,
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
    holder: shared.choiceFact(
      ['person', 'entity'],
      "Whose number it is, by the state's own rule, for CZ, ES and SE; absent where a number may be either. The number of an entity may name a person all the same.",
    ),
    registerNumber: {
      ...shared.choiceFact(REGISTER_NAMES, 'What the digits are in a register of the state, by its name.'),
      title: 'Register number',
    },
  },
})

function sizesOf(vat: string): readonly number[] {
  return vatState(vat)?.lengths.map((length) => PREFIX + length) ?? []
}
