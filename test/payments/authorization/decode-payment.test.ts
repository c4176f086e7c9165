import { describe, expect, it } from 'vitest'
import { readText } from '../../../src/payments/authorization/decode-payment.ts'

const base64 = (json: object) => Buffer.from(JSON.stringify(json)).toString('base64')

describe('the text of a payment', () => {
  it('is read up to the length of all headers of a request, and not beyond', () => {
    const long = { signature: 'a'.repeat(24_000) }
    expect(readText(base64(long))).toEqual(long)
    const members = Object.fromEntries(Array.from({ length: 70_000 }, (_, index) => [`k${index}`, 1]))
    expect(readText(base64(members))).toBeUndefined()
  })

  it('may have 32,768 characters', () => {
    const text = (length: number) => Buffer.from(JSON.stringify('a'.repeat(length - 2))).toString('base64')
    const longest = text(24_576)
    expect(longest).toHaveLength(32_768)
    expect(readText(longest)).toBe('a'.repeat(24_574))
    expect(readText(text(24_577))).toBeUndefined()
  })
})
