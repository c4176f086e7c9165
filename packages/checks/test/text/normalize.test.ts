import { describe, expect, test } from 'vitest'
import { CHECKS } from '../../src/checks.ts'
import { PROFILES } from '../../src/light-checks.ts'
import { ALPHANUMERIC, DIGIT, DOT, SEPARATOR } from '../../src/text/char-kind.ts'
import { bullets, maskNumber } from '../../src/text/mask.ts'
import { compactNumber, scanNumber, stepNames } from '../../src/text/normalize.ts'
import { CHECK_TYPES } from '../../src/verdict.ts'

describe('scanNumber', () => {
  test('a compact value needs no step and is not copied', () => {
    expect(scanNumber('PL61', ALPHANUMERIC, SEPARATOR)).toBe(0)
    expect(compactNumber('PL61', 0)).toBe('PL61')
  })

  test.each([
    [' pl 61\r\n', ['trimmed', 'separators_removed', 'uppercased']],
    ['pl61', ['uppercased']],
    ['\ufeffPL61', ['trimmed']],
    ['-PL61', ['separators_removed']],
    [' -PL61', ['trimmed', 'separators_removed']],
    ['-\r\nPL61\ufeff\u2009', ['trimmed', 'separators_removed']],
    ['P.L\u20076\u20111', ['separators_removed']],
  ])('names the steps of %j', (value, names) => {
    const steps = scanNumber(value, ALPHANUMERIC, SEPARATOR | DOT)
    expect(stepNames(steps)).toEqual(names)
    expect(compactNumber(value, steps)).toBe('PL61')
  })

  test.each([
    ['1/2', 1],
    ['1\r2', 1],
    ['1.2', 1],
    ['1a', 1],
    [' \u200b1', 1],
    ['1\ufeff2', 1],
  ])('finds the foreign character of %j', (value, index) => {
    expect(~scanNumber(value, DIGIT, SEPARATOR)).toBe(index)
  })
})

describe('labels', () => {
  test.each([
    ['iban', 'IBAN '],
    ['iban', 'iban:'],
    ['eu-vat', 'Vat:'],
    ['eu-vat', 'VAT ID '],
    ['iban', 'vat id:'],
    ['pl-nip', 'NIP\t1'],
    ['pl-regon', 'REGON\u00a01'],
    ['pl-pesel', 'pesel:1'],
    ['email', 'MailTo:'],
    ['pl-nip', ' NIP 1'],
    ['pl-nip', 'NIP-1'],
    ['eu-vat', 'NIP5'],
    ['iban', 'IBAN-DE89'],
    ['iban', 'IBANDE89'],
    ['eu-vat', 'USt-IdNr.: DE1'],
    ['eu-vat', 'BTW BE0'],
    ['eu-vat', 'P.IVA IT0'],
    ['eu-vat', 'VATIN:'],
    ['email', 'E-Mail: a'],
    ['email', 'email=a'],
  ] as const)('of %s: %j starts with one', (type, value) =>
    expect(PROFILES[type].labels.precede(value)).toBe(true))
  test.each([
    '',
    'IBAN',
    'IBANX:',
    'KRS 1',
    '1 NIP ',
    'VATX1',
    'emails@b.co',
    'PE\u017fEL 1',
  ])('%j starts with none of any type', (value) =>
    expect(CHECK_TYPES.filter((type) => PROFILES[type].labels.precede(value))).toEqual([]))
  test.each(['REGON: 1', 'Dossier: 1', 'CC: a'])('of every type: %j, for its colon', (value) =>
    expect(CHECK_TYPES.filter((type) => PROFILES[type].labels.precede(value))).toEqual(CHECK_TYPES))
})

describe('masks', () => {
  test.each([
    ['iban', 'PL61109010140000071219812874', `PL${bullets(22)}2874`],
    ['iban', 'NO9386011117947', `NO${bullets(9)}7947`],
    ['eu-vat', 'PL5260250274', `PL${bullets(8)}74`],
    ['eu-vat', 'RO12', `RO${bullets(2)}`],
    ['eu-vat', 'RO1234567', `RO${bullets(7)}`],
    ['eu-vat', 'FI20774740', `FI${bullets(6)}40`],
    ['pl-nip', 'PL 526-025-02-74', `${bullets(8)}74`],
    ['pl-regon', '123456785', `${bullets(7)}85`],
    ['pl-regon', '12345678512347', `${bullets(12)}47`],
    ['pl-pesel', '44051401359', bullets(11)],
    ['email', 'a.very.long.name@Example.COM', `${bullets(3)}@example.com`],
    ['email', 'x@b.co', `${bullets(3)}@b.co`],
  ] as const)('%s', (type, value, masked) => expect(CHECKS[type](value).normalized).toBe(masked))

  test('keep the true length', () => expect(maskNumber('123456789', 2)).toHaveLength(9))
})
