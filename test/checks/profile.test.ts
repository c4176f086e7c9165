import { expect, test } from 'vitest'
import { CHECKS, PROFILES } from '../../src/checks/checks.ts'
import { REGON } from '../../src/checks/pl-regon/profile.ts'
import type { Profile } from '../../src/checks/profile.ts'
import { defineProfile } from '../../src/checks/profile.ts'
import { accepted, NO_WARNINGS, rejected } from '../../src/checks/result.ts'
import { CHECK_TYPES } from '../../src/checks/verdict.ts'

const profiles = Object.entries<Profile>(PROFILES)

test('a check stands under the type of its profile', () => {
  expect(Object.keys(CHECKS)).toEqual([...CHECK_TYPES])
  for (const [type, profile] of profiles) expect(profile.type).toBe(type)
})

test('a hint or warning that several checks give has the same words in each', () => {
  const words = new Map<string, string>()
  for (const [type, { hints, warnings }] of profiles)
    for (const [code, said] of Object.entries({ ...hints, ...warnings })) {
      expect(words.get(code) ?? said, `${code} of ${type}`).toBe(said)
      words.set(code, said)
    }
})

/** `tsc` fails if one of these lines has no error. */
test('a code, hint, warning or fact that is not in the profile is a type error', () => {
  const details = { ruleset: '', normalization: [], layers: REGON.formatFailed, notChecked: [] }
  // @ts-expect-error: a code of another check
  rejected(REGON, 0, { code: 'birth_date' })
  // @ts-expect-error: a value that is refused is not ok
  rejected(REGON, 0, { code: 'ok' })
  // @ts-expect-error: a hint of another check
  rejected(REGON, 0, { code: 'length', hint: 'czech_slash' })
  // @ts-expect-error: a fact of another check
  rejected(REGON, 0, { code: 'length', more: { sex: 'male' } })
  // @ts-expect-error: a value that the fact does not have
  rejected(REGON, 0, { code: 'length', more: { kind: 'entity_10' } })
  // @ts-expect-error: REGON has no warnings
  accepted(REGON, '', { ...details, code: 'ok', warnings: ['office_prefix_unassigned'] })
  // @ts-expect-error: a fact of another check
  accepted(REGON, '', { ...details, code: 'ok', warnings: NO_WARNINGS, sex: 'male' })
  // @ts-expect-error: a sentence for a code that the profile does not have
  defineProfile({ ...REGON, reasons: { ok: '', birth_date: '' } })
  // @ts-expect-error: a way to follow a hint that the profile does not have
  defineProfile({ ...REGON, mends: { czech_slash: 'remove' } })
})
