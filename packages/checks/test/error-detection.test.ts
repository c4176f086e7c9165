import { describe, expect, test } from 'vitest'
import { validIban, validNip, validPesel, validRegon } from '../../../test/support/identifiers.ts'
import { CHECKS } from '../src/checks.ts'

const isIban = (value: string) => CHECKS.iban(value).valid
const isPlNip = (value: string) => CHECKS['pl-nip'](value).valid
const isPlPesel = (value: string) => CHECKS['pl-pesel'](value).valid
const isPlRegon = (value: string) => CHECKS['pl-regon'](value).valid

const SEEDS = Array.from({ length: 400 }, (_, index) => index + 1)
const IBANS = SEEDS.map((seed) => validIban(undefined, seed))
const NIPS = SEEDS.map(validNip)
const PESELS = SEEDS.map(validPesel)
const REGONS = Array.from({ length: 900 }, (_, index) => validRegon(index + 1)).filter(
  (regon) => regon.length === 9,
)

/** Every value with one digit replaced by each of the nine others. */
function digitErrors(values: readonly string[]): string[] {
  return values.flatMap((value) =>
    [...value].flatMap((here, index) =>
      /\d/.test(here)
        ? [...'0123456789'].filter((digit) => digit !== here).map((digit) => replaceAt(value, index, digit))
        : [],
    ),
  )
}

/** Every value with two different neighbouring digits swapped. */
function swaps(values: readonly string[]): string[] {
  return values.flatMap((value) =>
    [...value].slice(1).flatMap((second, index) => {
      const first = value.charAt(index)
      return first !== second ? [value.slice(0, index) + second + first + value.slice(index + 2)] : []
    }),
  )
}

function replaceAt(value: string, index: number, text: string): string {
  return value.slice(0, index) + text + value.slice(index + 1)
}

function caught(errors: readonly string[], isValid: (value: string) => boolean): number {
  return errors.filter((error) => !isValid(error)).length / errors.length
}

describe('single digits', () => {
  test('every wrong digit of an IBAN is caught', () => expect(caught(digitErrors(IBANS), isIban)).toBe(1))
  test('every wrong digit of a NIP is caught', () => expect(caught(digitErrors(NIPS), isPlNip)).toBe(1))
  test('every wrong digit of a PESEL is caught', () => expect(caught(digitErrors(PESELS), isPlPesel)).toBe(1))
  test('about 98 % of the wrong digits of a REGON are caught', () => {
    const share = caught(digitErrors(REGONS), isPlRegon)
    expect(share).toBeGreaterThan(0.975)
    expect(share).toBeLessThan(0.995)
  })
})

describe('swapped neighbours', () => {
  test('every swap in a NIP is caught', () => expect(caught(swaps(NIPS), isPlNip)).toBe(1))
  test('about 92 % of the swaps in a PESEL are caught', () => {
    const share = caught(swaps(PESELS), isPlPesel)
    expect(share).toBeGreaterThan(0.89)
    expect(share).toBeLessThan(0.95)
  })
  test('about 98 % of the swaps in a REGON are caught', () => {
    expect(caught(swaps(REGONS), isPlRegon)).toBeGreaterThan(0.965)
  })
})

test('exactly the pairs from 02 to 98 can be the check digits of a valid IBAN', () => {
  const pairs = Array.from({ length: 100 }, (_, pair) => String(pair).padStart(2, '0'))
  for (const iban of IBANS.slice(0, 60)) {
    const accepted = pairs.filter((pair) => isIban(iban.slice(0, 2) + pair + iban.slice(4)))
    expect(accepted).toEqual([iban.slice(2, 4)])
    for (const pair of ['00', '01', '99']) {
      const { code } = CHECKS.iban(iban.slice(0, 2) + pair + iban.slice(4)).details
      expect(code).toBe('check_digits_out_of_range')
    }
  }
})
