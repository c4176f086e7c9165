import { afterEach, expect, test, vi } from 'vitest'
import { CHECKS } from '../src/checks.ts'
import { CHECK_TYPES } from '../src/verdict.ts'

const LENGTH = 2_048
const PIECES = [
  'DEx ',
  'PLNR ',
  'CZ/',
  'abc 1',
  'a1 \u00e9',
  'aaa 1',
  '1 aa',
  '\u2022',
  'a@b.c, ',
  '1.0',
  'x-',
]

afterEach(() => vi.restoreAllMocks())

test.each(CHECK_TYPES)('a value as %s is folded a few times, however many words it has', (type) => {
  const normalize = vi.spyOn(String.prototype, 'normalize')
  const folded = PIECES.flatMap((piece) =>
    ['', 'DE89', 'aaa 1'].map((start) => {
      normalize.mockClear()
      CHECKS[type]((start + piece.repeat(LENGTH)).slice(0, LENGTH))
      const signs = normalize.mock.contexts.reduce<number>((sum, text) => sum + String(text).length, 0)
      return { value: `${start}${piece}...`, times: signs / LENGTH }
    }),
  )
  expect(folded.filter(({ times }) => times > 12)).toEqual([])
})

test('two at signs in front of half a million separators are no list of addresses, and told at once', () => {
  const { code, hint } = CHECKS.email(`@@${', '.repeat(250_000)}`).details
  expect([code, hint]).toEqual(['at_sign', 'compare_with_source'])
})
