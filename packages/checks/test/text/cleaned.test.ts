import { expect, test } from 'vitest'
import { validValue } from '../../../../test/support/identifiers.ts'
import { CHECKS } from '../../src/checks.ts'
import { PROFILES } from '../../src/light-checks.ts'
import { cleaned } from '../../src/text/cleaned.ts'
import { CHECK_TYPES, type CheckType } from '../../src/verdict.ts'

const cleanedOf = (type: CheckType, value: string) =>
  cleaned(value, CHECKS[type](value).details.normalization, PROFILES[type].outline.kind === 'text')

test.each([
  ['iban', ' de89 3704-0044 0532 0130 00\t', 'DE89370400440532013000'],
  ['eu-vat', 'pl 526-025-02-74', 'PL5260250274'],
  ['eu-vat', 'IE 1+23456W', 'IE1+23456W'],
  ['pl-nip', 'PL 526-025-02-74', '5260250274'],
  ['pl-nip', '526-025-02-74', '5260250274'],
  ['pl-regon', '000 331 501', '000331501'],
  ['pl-pesel', '440514 01359', '44051401359'],
  ['email', ' Jan.Kowalski@FIRMA.PL ', 'Jan.Kowalski@firma.pl'],
] as const)('%s: %s is kept as %s', (type, value, kept) => {
  expect(cleanedOf(type, value)).toBe(kept)
})

test('a cleaned value is valid, has the same mask, and nothing to clean', () => {
  for (const type of CHECK_TYPES)
    for (let seed = 0; seed < 50; seed += 1) {
      const value = validValue(type, seed)
      const spaced =
        PROFILES[type].outline.kind === 'text' ? ` ${value} ` : [...value].join(' ').toLowerCase()
      const before = CHECKS[type](spaced)
      const after = CHECKS[type](cleanedOf(type, spaced))
      expect([after.valid, after.normalized]).toEqual([before.valid, before.normalized])
      if (before.valid) expect(after.details.normalization).toEqual([])
    }
})
