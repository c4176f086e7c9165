import { defineProfile, layers } from '../profile.ts'
import * as shared from '../shared-profile.ts'
import { numberLabels } from '../text/label-prefix.ts'

const CHECKSUM_FAILED = layers('passed', 'failed', 'not_applicable')

export const NIP = defineProfile({
  type: 'pl-nip',
  ruleset: 'pl-nip:7',
  aliases: ['nip'],
  labels: numberLabels('NIP', 'VAT', 'VATIN', 'VAT ID'),
  kinds: ['a NIP', 'a KSeF number', 'a SIRET', 'a SIREN', 'a VAT number'],
  ending: /^\s*PL\s*$/i,
  outline: { kind: 'digits', sizes: [10], prefix: 'PL' },
  mask: { pattern: '^•{8}[0-9]{2}$', words: 'eight bullets and the last two digits' },
  notChecked: Object.freeze(['taxpayer registration']),
  normalization: ['trimmed', 'separators_removed', 'uppercased', 'prefix_removed'],
  codes: {
    ...shared.NUMBER_CODES,
    length: shared.LENGTH_CODE,
    all_zero: shared.ALL_ZERO_CODE,
    checksum: shared.CHECKSUM_CODE,
    checksum_impossible: shared.CHECKSUM_IMPOSSIBLE_CODE,
  },
  reasons: {
    ...{ invalid_character: null, length: null },
    ok: 'The value has ten digits and the check digit fits.',
    empty: 'The value is empty; a NIP has ten digits.',
    label_prefix: 'The value starts with a label; send the NIP alone.',
    all_zero: 'The ten digits are all zeros; no such NIP is issued.',
    checksum: 'The tenth digit does not fit the first nine: a digit is wrong or two are swapped.',
    checksum_impossible: 'The first nine digits would need the check digit 10; no NIP starts with them.',
  },
  failedLayers: { checksum: CHECKSUM_FAILED, checksum_impossible: CHECKSUM_FAILED },
  formatFailed: layers('failed', 'not_checked', 'not_applicable'),
  hints: {
    ...shared.NUMBER_HINTS,
    french_siren_without_key: shared.FRENCH_SIREN,
    french_siret: shared.FRENCH_SIRET,
    ksef_number: shared.KSEF_NUMBER,
    may_be_pesel: shared.MAY_BE_PESEL,
    placeholder_value: shared.PLACEHOLDER_VALUE,
    prefix_twice: shared.PREFIX_TWICE,
    romanian_cnp: shared.ROMANIAN_CNP,
  },
  warnings: { office_prefix_unassigned: shared.OFFICE_PREFIX_UNASSIGNED },
  facts: {
    length: shared.lengthFact(shared.ONE_LENGTH, 'The right number of digits.'),
    ...shared.NUMBER_FACTS,
    mfSchema: {
      enum: ['match', 'mismatch'],
      title: 'Ministry schema',
      description: "Whether the pattern of the Ministry of Finance's e-invoicing schemas takes the number.",
    },
  },
})
