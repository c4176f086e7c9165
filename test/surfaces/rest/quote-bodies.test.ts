import { expect, test, vi } from 'vitest'
import { quoteReplies } from '../../../src/surfaces/rest/quote-bodies.ts'
import { realRegistry } from '../../support/registry.ts'
import { quoteFor } from './scripted-sale.ts'

const [skill] = realRegistry().all

test('a reply is made once for each quote and code, unless it has a time', () => {
  const reply = quoteReplies('https://checks.example', {})
  const quote = quoteFor(skill)
  const header = vi.spyOn(quote, 'header')
  const first = reply(quote, 'payment_required')
  expect(reply(quote, 'payment_required')).toBe(first)
  const expired = reply(quote, 'payment_expired')
  expect(reply(quote, 'payment_expired')).toBe(expired)
  expect(reply(quote, 'payment_required')).toBe(first)
  expect(header).toHaveBeenCalledTimes(2)
  expect(reply(quoteFor(skill, 2), 'payment_required')).not.toBe(first)

  const textOf = (seconds: number) => String(reply(quote, 'payment_expired', seconds).body.content)
  expect(JSON.parse(textOf(1))).toMatchObject({ code: 'payment_expired', serverTime: 1 })
  expect(JSON.parse(textOf(2))).toMatchObject({ code: 'payment_expired', serverTime: 2 })
  expect(reply(quote, 'payment_expired')).toBe(expired)
})
