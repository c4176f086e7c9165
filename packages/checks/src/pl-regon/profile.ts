import { defineProfile, layers } from '../profile.ts'
import * as shared from '../shared-profile.ts'
import { numberLabels } from '../text/label-prefix.ts'

const CHECKSUM_FAILED = layers('passed', 'failed', 'not_applicable')

export const REGON = defineProfile({
  type: 'pl-regon',
  ruleset: 'pl-regon:7',
  aliases: ['regon'],
  labels: numberLabels('REGON'),
  kinds: ['a REGON'],
  outline: { kind: 'digits', sizes: [9, 14] },
  mask: { pattern: '^(•{7}|•{12})[0-9]{2}$', words: 'bullets and the last two digits' },
  notChecked: Object.freeze(['REGON register entry']),
  normalization: ['trimmed', 'separators_removed'],
  codes: {
    ...shared.NUMBER_CODES,
    length: shared.LENGTH_CODE,
    all_zero: shared.ALL_ZERO_CODE,
    checksum_9: 'the check digit of the first nine does not fit',
    checksum_14: 'the last check digit does not fit',
  },
  reasons: {
    ...{ invalid_character: null, length: null },
    ok: 'The value has the right number of digits and the check digits fit.',
    empty: 'The value is empty; a REGON has 9 or 14 digits.',
    label_prefix: 'The value starts with a label; send the REGON alone.',
    all_zero: 'The first nine digits are all zeros; no such REGON is issued.',
    checksum_9: 'The ninth digit does not fit the first eight: a digit is wrong or two are swapped.',
    checksum_14: 'The fourteenth digit does not fit the first thirteen: a digit is wrong or two are swapped.',
  },
  failedLayers: { checksum_9: CHECKSUM_FAILED, checksum_14: CHECKSUM_FAILED },
  formatFailed: layers('failed', 'not_checked', 'not_applicable'),
  hints: {
    ...shared.NUMBER_HINTS,
    leading_zero_lost: { words: shared.LEADING_ZERO_LOST, mend: 'put_zeros' },
    may_be_pesel: shared.MAY_BE_PESEL,
    old_7_digit_form:
      'A REGON of seven digits is the form used before 1990; with two zeros in front it would fit. Compare with the source.',
    placeholder_value: shared.PLACEHOLDER_VALUE,
    zero_padded_regon9: {
      words: 'Registers fill a REGON of nine digits up with five zeros. Send the first nine digits.',
      mend: ['.{5}$', ''],
    },
  },
  warnings: {},
  facts: {
    length: shared.lengthFact(shared.INTEGERS, 'The right numbers of digits.'),
    ...shared.NUMBER_FACTS,
    kind: { enum: ['entity_9', 'local_unit_14'] },
  },
})
