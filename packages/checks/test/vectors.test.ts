import { describe, expect, test } from 'vitest'
import { type Vector, vectors } from '../../../test/support/vectors.ts'
import { CHECKS } from '../src/checks.ts'
import { PROFILES } from '../src/light-checks.ts'
import { CHECK_TYPES, type CheckType } from '../src/verdict.ts'

/** A hint of null is one that is not sent. */
function holds(type: CheckType, { value, valid, code, details: { hint, ...details } = {} }: Vector): void {
  const verdict = CHECKS[type](value)
  expect(verdict).toMatchObject({ type, valid, details: { code, ...details } })
  if (hint !== undefined) expect(verdict.details.hint ?? null).toBe(hint)
}

describe.each(CHECK_TYPES)('%s vectors', (type) => {
  test.each(vectors(type))('$code: $note', (vector) => holds(type, vector))
})

const MISTAKES = ['mistakes', 'mistakes-held-out', 'mistakes-in-files'].flatMap(
  (name) => vectors(name) as readonly (Vector & { readonly type: CheckType })[],
)

test.each(CHECK_TYPES)('each code, hint and warning of %s has a vector or a published mistake', (type) => {
  const { codes, hints, warnings } = PROFILES[type]
  const values = [...vectors(type), ...MISTAKES.filter((each) => each.type === type)]
  const shown = values.map(({ value }) => CHECKS[type](value).details)
  expect(Object.keys(codes).filter((code) => !shown.some((details) => details.code === code))).toEqual([])
  expect(Object.keys(hints).filter((hint) => !shown.some((details) => details.hint === hint))).toEqual([])
  const warned = new Set<string>(shown.flatMap((details) => details.warnings ?? []))
  expect(Object.keys(warnings).filter((warning) => !warned.has(warning))).toEqual([])
})

describe('examples of the IBAN registry', () => {
  const examples = vectors('iban-registry')

  test('there is one for each of the 89 countries', () => {
    expect(new Set(examples.map(({ value }) => value.slice(0, 2))).size).toBe(89)
  })

  test.each(examples)('$note is valid', (vector) => holds('iban', vector))

  test.each(examples)('$note is valid in print format and in lower case', (vector) => {
    const printed = vector.value.replace(/(.{4})/g, '$1 ')
    holds('iban', { ...vector, value: printed })
    holds('iban', { ...vector, value: printed.toLowerCase() })
  })
})
