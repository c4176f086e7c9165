import { defineProfile, layers } from '../profile.ts'
import * as shared from '../shared-profile.ts'
import { numberLabels } from '../text/label-prefix.ts'

export const PESEL = defineProfile({
  type: 'pl-pesel',
  ruleset: 'pl-pesel:7',
  aliases: ['pesel'],
  labels: numberLabels('PESEL'),
  kinds: ['a PESEL'],
  outline: { kind: 'digits', sizes: [11] },
  mask: { pattern: '^•{11}$', words: 'eleven bullets', isHidden: true },
  notChecked: Object.freeze(['PESEL register entry']),
  normalization: ['trimmed', 'separators_removed'],
  codes: {
    ...shared.NUMBER_CODES,
    length: shared.LENGTH_CODE,
    checksum: shared.CHECKSUM_CODE,
    birth_date: 'the first six digits are not a calendar date; `position` points at the month or the day',
  },
  reasons: {
    ...{ invalid_character: null, length: null, birth_date: null },
    ok: 'The value has eleven digits, the check digit fits and the birth date exists.',
    empty: 'The value is empty; a PESEL has eleven digits.',
    label_prefix: 'The value starts with a label; send the PESEL alone.',
    checksum: 'The eleventh digit does not fit the first ten: a digit is wrong or two are swapped.',
  },
  failedLayers: {
    checksum: layers('passed', 'failed', 'not_applicable'),
    birth_date: layers('failed', 'passed', 'not_applicable'),
  },
  formatFailed: layers('failed', 'not_checked', 'not_applicable'),
  hints: {
    ...shared.NUMBER_HINTS,
    leading_zero_lost: { words: shared.LEADING_ZERO_LOST, mend: 'put_zeros' },
    placeholder_value: shared.PLACEHOLDER_VALUE,
  },
  warnings: {
    century_not_in_statute:
      'The birth date lies after 2099. The code for those centuries is custom, not statute.',
  },
  facts: {
    length: shared.lengthFact(shared.ONE_LENGTH, 'The right number of digits.'),
    ...shared.NUMBER_FACTS,
    birthDate: shared.textFact('The encoded date of birth, YYYY-MM-DD.', '^[0-9]{4}-[0-9]{2}-[0-9]{2}$'),
    sex: shared.choiceFact(['female', 'male'], 'The encoded sex.'),
    component: shared.choiceFact(['checksum', 'birth_date'], 'The component that failed.'),
  },
})
