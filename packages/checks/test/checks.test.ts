import { describe, expect, test } from 'vitest'
import { validValue } from '../../../test/support/identifiers.ts'
import { CHECKS, RULESETS } from '../src/checks.ts'
import { CHECK_TYPES, type CheckType, type VerdictCode } from '../src/verdict.ts'

test('there is a check and a ruleset for each type, in their order', () => {
  expect(Object.keys(CHECKS)).toEqual([...CHECK_TYPES])
  expect(Object.keys(RULESETS)).toEqual([...CHECK_TYPES])
})

test.each(CHECK_TYPES)('%s names its type and ruleset, valid or not', (type) => {
  for (const value of [validValue(type), '', '?']) {
    const verdict = CHECKS[type](value)
    expect([verdict.type, verdict.details.ruleset]).toEqual([type, RULESETS[type]])
    expect(verdict.details.layers.registry).toBe('not_checked')
    expect(verdict.details.notChecked).not.toHaveLength(0)
  }
})

describe('of two faults the earlier in the order of precedence is reported', () => {
  const faults: readonly (readonly [CheckType, VerdictCode, string])[] = [
    ['iban', 'label_prefix', 'IBAN: DE/'],
    ['iban', 'invalid_character', 'XX/1'],
    ['iban', 'invalid_character', '12/1'],
    ['iban', 'length', 'DE8O'],
    ['iban', 'check_digits_format', 'DE8O37O400440532013000'],
    ['iban', 'structure', 'DE0037O400440532013000'],
    ['iban', 'check_digits_out_of_range', 'DE00370400440532013000'],
    ['eu-vat', 'label_prefix', 'VAT: GR/'],
    ['eu-vat', 'invalid_character', 'GR/1'],
    ['eu-vat', 'invalid_character', '1+'],
    ['eu-vat', 'format', 'PL000000000'],
    ['eu-vat', 'all_zero', 'PL0000000000'],
    ['pl-nip', 'label_prefix', 'NIP 5/'],
    ['pl-nip', 'invalid_character', '5/'],
    ['pl-nip', 'length', '000'],
    ['pl-regon', 'invalid_character', '12A'],
    ['pl-regon', 'checksum_9', '12345678400000'],
    ['pl-pesel', 'length', '99'],
    ['pl-pesel', 'checksum', '99999999999'],
    ['email', 'label_prefix', 'mailto:\u00e4'],
    ['email', 'non_ascii', '\u00e4@b@c'],
    ['email', 'at_sign', '@@'],
    ['email', 'local_too_long', `${'.'.repeat(65)}@[`],
    ['email', 'local_not_dot_atom', '.a@[1]'],
    ['email', 'domain_literal', 'a@[..]'],
    ['email', 'domain_label_length', 'a@-..b'],
    ['email', 'domain_label_chars', 'a@b_'],
    ['email', 'domain_not_qualified', 'a@1'],
    ['email', 'domain_tld_numeric', `a@${`${'b'.repeat(60)}.`.repeat(5)}1`],
  ]
  test.each(faults)('%s %s', (type, code, value) => expect(CHECKS[type](value).details.code).toBe(code))
})

describe('layers', () => {
  const layersOf = (type: CheckType, value: string): unknown[] =>
    Object.values(CHECKS[type](value).details.layers).slice(0, 3)

  test.each([
    ['iban', 'BE68539007547034', ['passed', 'passed', 'passed']],
    ['iban', 'DE89370400440532013000', ['passed', 'passed', 'not_checked']],
    ['iban', 'DE89370400440532013001', ['passed', 'failed', 'not_checked']],
    ['iban', 'DE8937040044053201300', ['failed', 'not_checked', 'not_checked']],
    ['eu-vat', 'PL5260250274', ['passed', 'passed', 'passed']],
    ['eu-vat', 'DE136695976', ['passed', 'not_applicable', 'passed']],
    ['eu-vat', 'DE136695977', ['passed', 'not_applicable', 'failed']],
    ['eu-vat', 'PL5260250275', ['passed', 'failed', 'not_checked']],
    ['pl-nip', '5260250275', ['passed', 'failed', 'not_applicable']],
    ['pl-pesel', '80023000001', ['failed', 'passed', 'not_applicable']],
    ['email', 'a@b.co', ['passed', 'not_applicable', 'not_applicable']],
  ] as const)('%s %#', (type, value, layers) => expect(layersOf(type, value)).toEqual(layers))
})

describe('national check digits', () => {
  test('never decide, but are reported and warned of', () => {
    expect(CHECKS.iban('BE41539007547035')).toMatchObject({
      valid: true,
      details: { nationalCheck: 'failed', warnings: ['national_check_failed'] },
    })
    expect(CHECKS['eu-vat']('LU00000000').details).toMatchObject({
      nationalCheck: { result: 'passed' },
      warnings: [],
    })
  })
})
