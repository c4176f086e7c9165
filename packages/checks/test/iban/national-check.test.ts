import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { mod97 } from '../../src/arithmetic/mod97.ts'
import { ibanNationalCheck } from '../../src/iban/national/national-check.ts'
import type { NationalOutcome } from '../../src/iban/national/outcome.ts'

interface Vector {
  readonly iban: string
  readonly national: NationalOutcome
  readonly source: string
}

const vectors: Vector[] = JSON.parse(
  readFileSync(new URL('../../../../test/vectors/iban-national.json', import.meta.url), 'utf8'),
)
const outcomeOf = (iban: string) => ibanNationalCheck(iban.slice(0, 2), iban.slice(4))

describe('ibanNationalCheck', () => {
  test.each(vectors)('$iban $national', ({ iban, national }) => {
    expect(mod97(iban.slice(4) + iban.slice(0, 4))).toBe(1)
    expect(outcomeOf(iban)).toBe(national)
  })

  test('every country with national digits has a passing example', () => {
    const passing = new Set(
      vectors.filter((vector) => vector.national === 'passed').map(({ iban }) => iban.slice(0, 2)),
    )
    expect([...passing].sort().join(' ')).toBe(
      'AL BA BE BI CZ DJ EE ES FI FR HR HU IS IT MC ME MK MR NO PL PT RS RU SI SK SM ST TL TN XK',
    )
  })

  test('ignores countries it has no rule for', () => {
    expect(ibanNationalCheck('QQ', '0')).toBe('not_checked')
    expect(ibanNationalCheck('constructor', '0')).toBe('not_checked')
  })
})

/** Part of the BBAN that the national digits protect; every single-digit change in it is caught. */
const PROTECTED: Readonly<Record<string, readonly [number, number]>> = {
  AL: [0, 8],
  BA: [0, 16],
  BE: [0, 12],
  BI: [0, 23],
  CZ: [4, 20],
  DJ: [0, 23],
  EE: [2, 16],
  FI: [0, 14],
  FR: [0, 23],
  HR: [0, 17],
  HU: [0, 24],
  IT: [1, 23],
  MC: [0, 23],
  ME: [0, 18],
  MK: [0, 15],
  MR: [0, 23],
  NO: [6, 11],
  PL: [0, 8],
  PT: [0, 21],
  RS: [0, 18],
  SI: [0, 15],
  SK: [4, 20],
  SM: [1, 23],
  ST: [0, 21],
  TL: [0, 19],
  TN: [0, 20],
  XK: [0, 16],
}

const protectedIbans = vectors
  .filter((vector) => vector.national === 'passed' && vector.iban.slice(0, 2) in PROTECTED)
  .map((vector) => vector.iban)

test.each(protectedIbans)('every single-digit change inside %s is caught', (iban) => {
  const country = iban.slice(0, 2)
  const bban = iban.slice(4)
  const [start, end] = PROTECTED[country]!
  for (let index = start; index < end; index++) {
    if (bban[index]! > '9') continue
    for (const digit of '0123456789') {
      if (digit === bban[index]) continue
      const changed = bban.slice(0, index) + digit + bban.slice(index + 1)
      expect(ibanNationalCheck(country, changed)).toBe('failed')
    }
  }
})

describe('accounts that carry MOD 97-10 of their own', () => {
  const CONSTANT_CHECK_DIGITS: ReadonlyArray<readonly [string, string, number]> = [
    ['BA', '39', 16],
    ['BI', '42', 23],
    ['DJ', '21', 23],
    ['ME', '25', 18],
    ['MK', '07', 15],
    ['MR', '13', 23],
    ['PT', '50', 21],
    ['RS', '35', 18],
    ['SI', '56', 15],
    ['ST', '23', 21],
    ['TL', '38', 19],
    ['TN', '59', 20],
    ['XK', '05', 16],
  ]

  test.each(CONSTANT_CHECK_DIGITS)('%s can only have the check digits %s', (country, checkDigits, length) => {
    const digits = fc.string({
      unit: fc.constantFrom(...'0123456789'),
      minLength: length - 4,
      maxLength: length - 4,
    })
    const pairs = Array.from({ length: 100 }, (_, pair) => String(pair).padStart(2, '0'))
    fc.assert(
      fc.property(digits, (start) =>
        // A hundred accounts in a row have every key.
        pairs.every((end) => {
          const account = start + end
          const passing = pairs.filter((key) => ibanNationalCheck(country, account + key) === 'passed')
          return passing.length === 1 && mod97(account + passing[0] + country + checkDigits) === 1
        }),
      ),
      { numRuns: 3 },
    )
  })
})

test.each(['FR', 'MC'])('letters of an account in %s stand for the digits of the CFONB', (country) => {
  for (const [index, letters] of ['AJ', 'BKS', 'CLT', 'DMU', 'ENV', 'FOW', 'GPX', 'HQY', 'IRZ'].entries())
    for (const letter of letters) {
      const [account, inDigits] = [letter, index + 1].map((sign) => `2004101005050001${sign}0260`)
      const key = String(97n - ((BigInt(inDigits!) * 100n) % 97n)).padStart(2, '0')
      expect([letter, ibanNationalCheck(country, account + key)]).toEqual([letter, 'passed'])
    }
})

describe('rules with exceptions', () => {
  test('a Norwegian account of the group 00 that does not fit is not checked', () => {
    expect(ibanNationalCheck('NO', '12340012345')).toBe('not_checked')
    expect(ibanNationalCheck('NO', '00004090413')).toBe('not_checked')
    expect(ibanNationalCheck('NO', '86011117949')).toBe('failed')
  })

  test('an Icelandic organisation has to fit, a person or a system number does not', () => {
    const account = '015926007654'
    expect(ibanNationalCheck('IS', `${account}4504013150`)).toBe('passed')
    expect(ibanNationalCheck('IS', `${account}4504013160`)).toBe('failed')
    expect(ibanNationalCheck('IS', `${account}1201743399`)).toBe('passed')
    expect(ibanNationalCheck('IS', `${account}1201743389`)).toBe('not_applicable')
    expect(ibanNationalCheck('IS', `${account}8923501739`)).toBe('not_applicable')
  })

  test('a Belgian remainder of 0 is written 97', () => {
    expect(ibanNationalCheck('BE', '050000017797')).toBe('passed')
    expect(ibanNationalCheck('BE', '050000017700')).toBe('failed')
  })
})
