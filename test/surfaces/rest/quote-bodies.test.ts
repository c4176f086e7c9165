import { expect, test, vi } from 'vitest'
import { ERRORS } from '../../../src/errors.ts'
import { quoteReplies } from '../../../src/surfaces/rest/quote-bodies.ts'
import { realRegistry } from '../../support/registry.ts'
import { quoteFor } from './scripted-sale.ts'

const [skill] = realRegistry().all

test('a reply is made once for each quote and code, unless it has a time', () => {
  const reply = quoteReplies('https://checks.example', {})
  const quote = quoteFor(skill)
  const header = vi.spyOn(quote, 'header')
  const first = reply({ quote, code: 'payment_required' })
  expect(reply({ quote, code: 'payment_required' })).toBe(first)
  const expired = reply({ quote, code: 'payment_expired' })
  expect(reply({ quote, code: 'payment_expired' })).toBe(expired)
  expect(reply({ quote, code: 'payment_required' })).toBe(first)
  expect(header).toHaveBeenCalledTimes(2)
  expect(reply({ quote: quoteFor(skill, 2), code: 'payment_required' })).not.toBe(first)

  const textOf = (serverTime: number) =>
    String(reply({ quote, code: 'payment_expired', serverTime }).body.content)
  expect(JSON.parse(textOf(1))).toMatchObject({ code: 'payment_expired', serverTime: 1 })
  expect(JSON.parse(textOf(2))).toMatchObject({ code: 'payment_expired', serverTime: 2 })
  expect(reply({ quote, code: 'payment_expired' })).toBe(expired)
})

test('what a refusal says of its payment stands behind the text of its code', () => {
  const reply = quoteReplies('https://checks.example', {})
  const refused = { quote: quoteFor(skill), code: 'payment_terms_mismatch' } as const
  const { detail } = JSON.parse(String(reply({ ...refused, why: 'The member differs.' }).body.content))
  expect(detail).toBe(`${ERRORS.payment_terms_mismatch.detail} The member differs.`)
  expect(JSON.parse(String(reply(refused).body.content)).detail).toBe(ERRORS.payment_terms_mismatch.detail)
})
