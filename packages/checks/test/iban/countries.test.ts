import { describe, expect, test } from 'vitest'
import { validIban } from '../../../../test/support/identifiers.ts'
import { checkIban } from '../../src/iban/check-iban.ts'
import { HEAD, IBAN_COUNTRIES, ibanCountry } from '../../src/iban/countries.ts'
import { PARENT_PREFIXES, SEPA_PREFIXES, UNOFFICIAL_PREFIXES } from '../../src/iban/registry.ts'

test('the registry has 89 countries, from 15 to 33 characters', () => {
  expect(new Set(IBAN_COUNTRIES.map(({ code }) => code)).size).toBe(89)
  const lengths = IBAN_COUNTRIES.map(({ length }) => length)
  expect([Math.min(...lengths), Math.max(...lengths)]).toEqual([15, 33])
})

test('the SEPA list names 42 prefixes of the registry, without FO and GL', () => {
  expect(IBAN_COUNTRIES.filter(({ sepa }) => sepa).map(({ code }) => code)).toHaveLength(SEPA_PREFIXES.size)
  expect([SEPA_PREFIXES.size, SEPA_PREFIXES.has('FO'), SEPA_PREFIXES.has('GL')]).toEqual([42, false, false])
})

test('no territory and no unofficial prefix is in the registry', () => {
  const codes = IBAN_COUNTRIES.map(({ code }) => code)
  for (const code of [...PARENT_PREFIXES.keys(), ...UNOFFICIAL_PREFIXES]) expect(codes).not.toContain(code)
})

describe.each(IBAN_COUNTRIES)('$code', (country) => {
  test('segments cover the account number without gaps and name one bank', () => {
    let next = HEAD
    for (const { start, end } of country.segments) {
      expect(start).toBe(next)
      expect(end).toBeGreaterThan(start)
      next = end
    }
    expect(next).toBe(country.length)
    expect(country.segments.filter(({ name }) => name === 'bank')).toHaveLength(1)
  })

  test('is found by its letters and accepts numbers of its structure', () => {
    expect(ibanCountry(country.code)).toBe(country)
    for (let seed = 1; seed <= 20; seed++) {
      expect(checkIban(validIban(country.code, seed)).details).toMatchObject({
        code: 'ok',
        country: country.code,
        structure: country.structure,
      })
    }
  })

  test('rejects every other length', () => {
    const iban = validIban(country.code, 3)
    for (const value of [iban.slice(0, -1), `${iban}0`, iban + iban.slice(2)]) {
      expect(checkIban(value).details).toMatchObject({
        code: 'length',
        length: { expected: country.length, actual: value.length },
      })
    }
  })
})

test('a caller can slice its own string with the segments', () => {
  const iban = 'ES9121000418450200051332'
  const parts = checkIban(iban).details.segments as { name: string; start: number; end: number }[]
  expect(parts.map(({ name, start, end }) => [name, iban.slice(start, end)])).toEqual([
    ['bank', '2100'],
    ['branch', '0418'],
    ['check', '45'],
    ['account', '0200051332'],
  ])
})
