import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { type Measurement, measureAdvice } from '../../../test/support/advice-precision.ts'
import { type Advice, codesOf, HINTS } from '../src/advice/hints.ts'
import { CHECKS } from '../src/checks.ts'
import type { CheckType } from '../src/verdict.ts'

/** A seed that the hints were not made with. */
const SEED = 5
const published: readonly Measurement[] = JSON.parse(
  readFileSync(new URL('../../../test/vectors/advice-precision.json', import.meta.url), 'utf8'),
).types
const measured = published.map(({ type }) => measureAdvice(type, 5_000, SEED))

describe.each(measured)('advice of $type on 5,000 mistakes', ({
  type,
  astray,
  mendedShare,
  helpedShare,
  advice,
}) => {
  test('followed mechanically, it never ends at another valid value', () => {
    expect(astray).toEqual([])
  })

  test('mends and helps as much as is published', () => {
    const { mendedShare: mended, helpedShare: helped } = published.find((each) => each.type === type)!
    expect(Math.abs(mendedShare - mended)).toBeLessThan(0.03)
    expect(Math.abs(helpedShare - helped)).toBeLessThan(0.03)
  })

  test('no code is sent that the catalogue does not have', () => {
    const table: Readonly<Record<string, Advice>> = HINTS
    const sent = advice.map(({ code }) => code).filter((code) => code in table)
    expect(sent.filter((code) => !codesOf(table, type).includes(code))).toEqual([])
  })
})

test('more than half of all mistakes are mended without a person', () => {
  const share = measured.reduce((sum, { mendedShare }) => sum + mendedShare, 0) / measured.length
  expect(share).toBeGreaterThanOrEqual(0.55)
})

test('what is published is right in nine of ten, and ends at no other valid value', () => {
  const rows = published.flatMap(({ advice }) => advice)
  expect(rows.length).toBeGreaterThan(60)
  // A code that was said a few times only proves nothing.
  const wrong = rows.filter(({ said, right, astray }) => said >= 20 && (right / said < 0.9 || astray > 0))
  expect(wrong).toEqual([])
})

test.each([
  ['IE86113440C', 'IE8611340C'],
  ['IE750645GC', 'IE2750645GC'],
])('%s, where a look-alike fits as well as %s does, is left to a person', (value) => {
  expect(CHECKS['eu-vat'](value).details.hint).toBeUndefined()
})

const ADVISED: Readonly<Record<string, readonly (readonly [CheckType, string, string | undefined])[]>> = {
  'a label stands in front of a national number': [
    ['iban', '123457/0710', 'add_country_code'],
    ['iban', '263300012039087', 'add_country_code'],
    ['iban', 'NRB 61109010140000071219812874', 'add_country_code:PL'],
    ['iban', 'Konto 61 1090 1014 0000 0712 1981 2874', 'add_country_code:PL'],
    ['iban', 'RIB : 20041 01005 0500013M026 06', 'add_country_code'],
    ['iban', 'Konto 4711', 'check_country_code'],
    ['eu-vat', 'NIF A28017895', 'add_country_prefix'],
    ['eu-vat', 'UID-Nr. U13585627', 'add_country_prefix'],
    ['eu-vat', 'CHE-123.456.788', 'other_number'],
  ],
  'cells as exports, lists and registers of e-health hold them': [
    ['iban', 'DE89&nbsp;3704&nbsp;0044&nbsp;0532&nbsp;0130&nbsp;00', 'remove_entities'],
    ['iban', '61109010140000000000000000', 'digits_lost'],
    ['iban', '\u2022 ES9121000418450200051332', 'remove_character'],
    ['eu-vat', '136695976.0', 'add_country_prefix'],
    ['pl-nip', '5260250274PL', 'remove_text_behind'],
    ['pl-nip', '5260250274;5260250274', 'remove_text_behind'],
    ['pl-pesel', 'urn:oid:2.16.840.1.113883.3.4424.1.1.616:44051401359', 'remove_label'],
    ['pl-pesel', '44051401359^^^&2.16.840.1.113883.3.4424.1.1.616&ISO', 'remove_text_behind'],
  ],
  'only a number alone is one of a spreadsheet': [
    ['pl-nip', '5,260250274E9', 'scientific_notation'],
    ['pl-nip', '5,260250274E9 PLN', undefined],
  ],
  'a number of another label, or a part of the same one, is no second value': [
    ['iban', 'KRS 0000123456789 IBAN DE89370400440532013000', 'remove_label'],
    ['iban', 'DE89370400440532013000, BIC: 12345678901', 'remove_text_behind'],
    ['pl-nip', '5260250274 / 260250274', 'remove_text_behind'],
    ['pl-nip', '5260250274 / 260250275', 'several_values'],
  ],
}

describe.each(Object.entries(ADVISED))('%s', (_what, rows) => {
  test.each(rows)('%s: %s', (type, value, hint) => {
    expect(CHECKS[type](value).details.hint).toBe(hint)
  })
})

test('a question mark is a sign of an address', () => {
  expect(CHECKS.email('Jan <a?b@c.pl>').details).toMatchObject({
    hint: 'display_name',
    span: { start: 5, end: 13 },
  })
})

test('white space behind a domain is no letter of another alphabet', () => {
  expect(CHECKS.email('jan@\u0430\u0431\u0432.com\u00a0').details.hint).toBe('use_punycode_domain')
})
