import { describe, expect, it } from 'vitest'
import { readText } from '../../../src/payments/authorization/decode-payment.ts'

const base64 = (json: object) => Buffer.from(JSON.stringify(json)).toString('base64')

describe('the text of a payment', () => {
  it('is read up to the length of all headers of a request, and not beyond', () => {
    const long = { signature: 'a'.repeat(24_000) }
    expect(readText(base64(long))).toEqual(long)
    const members = Object.fromEntries(Array.from({ length: 70_000 }, (_, index) => [`k${index}`, 1]))
    expect(readText(base64(members))).toBeNull()
  })
})
