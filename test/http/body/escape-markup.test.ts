import { expect, test } from 'vitest'
import { escapeMarkup } from '../../../src/values/html.ts'

test.each([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
  ["'", '&#39;'],
])('%s is written as %s', (sign, entity) => {
  expect(escapeMarkup(sign)).toBe(entity)
})

test('every sign of a text is escaped, and once only', () => {
  expect(escapeMarkup(`<a title="x" rel='y'>&amp;</a>`)).toBe(
    '&lt;a title=&quot;x&quot; rel=&#39;y&#39;&gt;&amp;amp;&lt;/a&gt;',
  )
})

test('anything else stays as it is', () => {
  expect(escapeMarkup('PL 61: ążź 𝓍 {} ` / =')).toBe('PL 61: ążź 𝓍 {} ` / =')
})
