import fc from 'fast-check'
import { expect, it } from 'vitest'
import { arbitraryAny } from '../../../../test/support/identifiers.ts'
import { checkEmail } from '../../src/email/check-email.ts'

const isEmail = (value: string) => checkEmail(value).valid

const ATOM = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+"
const LABEL = '[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?'
const ADDRESS = new RegExp(`^(${ATOM}(?:\\.${ATOM})*)@((?:${LABEL}\\.)+(${LABEL}))$`)

/** The grammar written down a second time, as a pattern and limits on what it finds. */
function isAddressByPattern(value: string): boolean {
  const [whole, local = '', domain = '', last = ''] =
    ADDRESS.exec(value.replace(/^[ \t\r\n]+|[ \t\r\n]+$/g, '')) ?? []
  if (whole === undefined || whole.length > 254 || local.length > 64) return false
  return !/^\d+$/.test(last) && domain.split('.').every((label) => label.length <= 63)
}

const part = fc.oneof(
  fc.stringMatching(/^[a-zA-Z0-9.@-]{0,20}$/),
  fc.constantFrom('a', '1', '-', '.', '@', '..', '-.', '.-', '12', 'é', '\u0000', '+'),
  fc.nat({ max: 70 }).map((length) => 'a'.repeat(length)),
)
const collage = fc.array(part, { maxLength: 8 }).map((parts) => parts.join(''))
const joined = fc.tuple(collage, collage).map((sides) => sides.join('@'))

it('the check and the pattern accept the same addresses', () => {
  fc.assert(
    fc.property(fc.oneof(arbitraryAny('email'), collage, joined), (value) => {
      expect(isEmail(value)).toBe(isAddressByPattern(value))
    }),
    { numRuns: 20_000 },
  )
})

it.each([
  [64, 63, true],
  [65, 10, false],
  [1, 63, true],
  [1, 64, false],
  [60, 64, false],
])('a local part of %i and a label of %i characters: %s', (local, label, valid) => {
  expect(isEmail(`${'a'.repeat(local)}@${'b'.repeat(label)}.com`)).toBe(valid)
  expect(isEmail(`${'a'.repeat(local)}@com.${'b'.repeat(label)}`)).toBe(valid)
})
