import { expect, test } from 'vitest'
import { digitLike } from '../../src/text/lookalikes.ts'

test('small b, g and q look like other digits than the capitals, all other letters like the same', () => {
  expect([...'bgq'].map(digitLike)).toEqual(['6', '9', '9'])
  expect([...'BGQ'].map(digitLike)).toEqual(['8', '6', '0'])
  for (const letter of 'ODILZS') expect(digitLike(letter.toLowerCase())).toBe(digitLike(letter))
})
