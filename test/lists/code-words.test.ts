import { PROFILES } from 'format-checker-checks'
import { expect, test } from 'vitest'
import { codeInWords } from '../../src/lists/code-words.ts'
import { LEFT_OUT } from '../../src/lists/read-cell.ts'

test.each(Object.entries(PROFILES))('no two codes of %s have the same words, and none shows its code', (_, {
  codes,
}) => {
  const all = [...new Set([...Object.keys(codes), ...Object.keys(LEFT_OUT)])]
  const words = all.map(codeInWords)
  expect(new Set(words).size).toBe(all.length)
  for (const each of words) expect(each).toMatch(/^[A-Z][^_]+$/)
})

test('a code that is unknown here has words too', () => {
  expect(codeInWords('date_wrong')).toBe('Date wrong')
  expect(codeInWords('constructor')).toBe('Constructor')
})
