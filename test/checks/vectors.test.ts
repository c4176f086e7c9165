import { describe, expect, test } from 'vitest'
import { CHECKS } from '../../src/checks/checks.ts'
import { CHECK_TYPES, type CheckType } from '../../src/checks/verdict.ts'
import { type Vector, vectors } from '../support/vectors.ts'

/** A hint of null is one that is not sent. */
function holds(type: CheckType, { value, valid, code, details: { hint, ...details } = {} }: Vector): void {
  const verdict = CHECKS[type](value)
  expect(verdict).toMatchObject({ type, valid, details: { code, ...details } })
  if (hint !== undefined) expect(verdict.details.hint ?? null).toBe(hint)
}

describe.each(CHECK_TYPES)('%s vectors', (type) => {
  test.each(vectors(type))('$code: $note', (vector) => holds(type, vector))
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
