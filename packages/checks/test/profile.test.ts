import { expect, test } from 'vitest'
import { CHECKS } from '../src/checks.ts'
import { PROFILES } from '../src/light-checks.ts'
import { REGON } from '../src/pl-regon/profile.ts'
import type { Profile } from '../src/profile.ts'
import { defineProfile } from '../src/profile.ts'
import { accepted, rejected } from '../src/result.ts'
import { CHECK_TYPES } from '../src/verdict.ts'

const profiles = Object.entries<Profile>(PROFILES)

test('a check stands under the type of its profile', () => {
  expect(Object.keys(CHECKS)).toEqual([...CHECK_TYPES])
  for (const [type, profile] of profiles) expect(profile.type).toBe(type)
})

test('a hint or warning that several checks give is the same in each, its words and how it is followed', () => {
  const known = new Map<string, unknown>()
  for (const [type, { hints, warnings }] of profiles)
    for (const [code, said] of Object.entries<unknown>({ ...hints, ...warnings })) {
      expect(said, `${code} of ${type}`).toEqual(known.get(code) ?? said)
      known.set(code, said)
    }
})

/** `tsc` fails if one of these lines has no error. */
test('a code, hint, warning or fact that is not in the profile is a type error', () => {
  expect(typeErrors).toBeTypeOf('function')
})

const { formatFailed: layers } = REGON
const { empty, ...fewer } = REGON.reasons
function typeErrors() {
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
  accepted(REGON, 0, '', { layers, warnings: ['office_prefix_unassigned'] })
  // @ts-expect-error: a fact of another check
  accepted(REGON, 0, '', { layers, facts: { sex: 'male' } })
  // @ts-expect-error: a sentence for a code that the profile does not have
  defineProfile({ ...REGON, reasons: { ...REGON.reasons, birth_date: '' } })
  // @ts-expect-error: a code without a sentence, and without a word that its failures have one
  defineProfile({ ...REGON, reasons: fewer })
}

test('a failure without any sentence is a defect', () => {
  expect(() => rejected(REGON, 0, { code: 'length' })).toThrow('a failure of length says no reason')
})
