import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { JsonFault, parseStrict, repeatedMembers } from '../../src/values/strict-json.ts'

const parsed = (text: string | Uint8Array) => parseStrict(typeof text === 'string' ? Buffer.from(text) : text)
const faultOf = (text: string | Uint8Array): string | null => {
  try {
    parsed(text)
    return null
  } catch (error) {
    if (error instanceof JsonFault) return error.message
    throw error
  }
}

/** JSON of the grammar. */
const json = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom(null, true, false),
    fc.maxSafeInteger().map((number) => (Object.is(number, -0) ? 0 : number)),
    fc.string({ unit: 'binary' }),
    fc.array(tie('value')),
    fc.dictionary(fc.string({ unit: 'binary' }), tie('value')),
  ),
})).value

test('what JSON.stringify writes is read as JSON.parse reads it, with white space too', () => {
  fc.assert(
    fc.property(json, fc.constantFrom(0, 1, '\t'), (value, space) => {
      const text = JSON.stringify(value, null, space)
      expect(parsed(text)).toEqual(JSON.parse(text))
      expect(repeatedMembers(text).size).toBe(0)
    }),
    { numRuns: 2_000 },
  )
})

test('a member twice is found wherever it stands, and however it is written', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), json, json, fc.boolean(), (name, one, other, isEscaped) => {
      const [plain, escaped] = [
        JSON.stringify(name),
        `"${Array.from({ length: name.length }, (_, at) => `\\u${name.charCodeAt(at).toString(16).padStart(4, '0')}`).join('')}"`,
      ]
      const again = isEscaped ? escaped : plain
      const object = `{${plain}:${JSON.stringify(one)}, ${again} :${JSON.stringify(other)}}`
      expect(faultOf(object)).toBe('has a member twice')
      expect(faultOf(`[1,{"a":${object}}]`)).toBe('has a member twice')
      expect([...repeatedMembers(object)]).toEqual([name])
      expect(repeatedMembers(`{"a":${object}}`).size).toBe(0)
    }),
    { numRuns: 500 },
  )
})

describe('what programs read differently is refused', () => {
  test.each([
    ['1e3', /whole/],
    ['1.0', /whole/],
    ['-0', /whole/],
    ['01', /whole/],
    ['9007199254740992', /whole/],
    ['-9007199254740992', /whole/],
    ['NaN', /not JSON/],
    ['Infinity', /not JSON/],
    ['"\\ud800"', /half a character/],
    ['{"\\udc00":1}', /half a character/],
    ['"\\ud83d\\ude00\\ud800"', /half a character/],
    ['\ufeff{}', /not JSON/],
    ['{}{}', /not JSON/],
    ['{"a":1,}', /not JSON/],
    ["{'a':1}", /not JSON/],
    ['"\n"', /not JSON/],
    ['"a', /not JSON/],
    ['', /not JSON/],
    [`${'['.repeat(65)}${']'.repeat(65)}`, /64 levels/],
    [Uint8Array.from([0x22, 0xff, 0x22]), /not JSON/],
    [Uint8Array.from([0x22, 0xed, 0xa0, 0x80, 0x22]), /not JSON/],
  ])('%j', (text, words) => expect(faultOf(text)).toMatch(words))

  test.each([
    '9007199254740991',
    '-9007199254740991',
    '0',
    '-1',
    '"\\ud83d\\ude00"',
    '"\\\\ud800"',
    ' [ ] \n',
    `${'['.repeat(64)}${']'.repeat(64)}`,
  ])('and nothing else: %s', (text) => expect(faultOf(text)).toBeNull())
})
