import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readInput } from '../../src/catalog/validate-input.ts'
import { realRegistry } from '../support/registry.ts'

const { all } = realRegistry()

describe.each(all.map((skill) => [skill.id, skill] as const))('the input of %s', (_id, skill) => {
  it.each([
    [undefined, 'not_an_object'],
    [null, 'not_an_object'],
    [1, 'not_an_object'],
    ['value', 'not_an_object'],
    [[], 'not_an_object'],
    [['value'], 'not_an_object'],
    [{}, 'value_missing'],
    [{ value: undefined }, 'value_missing'],
    [{ Value: 'x' }, 'value_missing'],
    [Object.create({ value: 'x' }), 'value_missing'],
    [JSON.parse('{"__proto__":{"value":"x"}}'), 'value_missing'],
    [{ value: 1 }, 'value_not_string'],
    [{ value: null }, 'value_not_string'],
    [{ value: ['x'] }, 'value_not_string'],
    [{ value: new String('x') }, 'value_not_string'],
    [{ value: 'x', type: 'iban' }, 'unknown_field'],
    [JSON.parse('{"value":"x","__proto__":1}'), 'unknown_field'],
    [{ value: 'x'.repeat(513) }, 'value_too_long'],
    [{ value: '\u{1f600}'.repeat(513) }, 'value_too_long'],
    [{ value: 'x\ud800' }, 'value_not_unicode'],
    [{ value: '\udc00\ud800' }, 'value_not_unicode'],
  ])('%j is %s', (input, code) => {
    expect(readInput(skill, input)).toEqual({ ok: false, code })
  })

  it('is any well-formed string of up to 512 code points, unchanged', () => {
    const strings = fc.string({ unit: 'binary', maxLength: 512 })
    fc.assert(
      fc.property(strings, (value) => {
        expect(readInput(skill, { value })).toEqual({ ok: true, value })
      }),
    )
    const value = '\u{1f600}'.repeat(512)
    expect(readInput(skill, { value })).toEqual({ ok: true, value })
  })
})

it('nothing of a refused input stays behind', () => {
  const skill = all[0]!
  readInput(skill, { value: 'x', CANARY: 1 })
  expect(JSON.stringify(Object.entries(skill.inputFault))).not.toContain('CANARY')
})
