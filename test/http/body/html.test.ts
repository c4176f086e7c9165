import { expect, test } from 'vitest'
import { html } from '../../../src/values/html.ts'

test('inserted text is escaped, and numbers are written', () => {
  expect(html`<p title="${'"a" & b'}">${'<b>'} ${3}</p>`.markup).toBe(
    '<p title="&quot;a&quot; &amp; b">&lt;b&gt; 3</p>',
  )
})

test('inserted markup stays as it is, one piece or a list of them', () => {
  const items = ['a', '<'].map((word) => html`<li>${word}</li>`)
  expect(html`<ul>${items}</ul>${html`<hr>`}`.markup).toBe('<ul><li>a</li><li>&lt;</li></ul><hr>')
})

test('nothing and false leave no trace', () => {
  expect(html`<p>${undefined}${false}</p>`.markup).toBe('<p></p>')
})
