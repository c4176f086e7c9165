import fc from 'fast-check'
import { expect, it } from 'vitest'
import { fromBase64 } from '../../../src/payments/authorization/base64.ts'

const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/

it('takes what the pattern takes, and gives the bytes Node gives for it', () => {
  const signs = fc.constantFrom(...'AQgwz09+/=-_ \n.é\u0000'.split(''))
  const collage = fc.array(signs, { maxLength: 24 }).map((parts) => parts.join(''))
  const proper = fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes).toString('base64'))
  const bent = fc
    .tuple(proper, fc.nat({ max: 60 }), signs)
    .map(([text, at, sign]) => text.slice(0, at) + sign + text.slice(at))
  const unpadded = proper.map((text) => text.replaceAll('=', ''))
  fc.assert(
    fc.property(fc.oneof(collage, proper, bent, unpadded), (text) => {
      const expected = BASE64.test(text) ? Buffer.from(text, 'base64') : null
      expect(fromBase64(text)).toEqual(expected)
    }),
    { numRuns: 20_000 },
  )
})
