import { expect, test } from 'vitest'
import { createSignatureJudge } from '../../../src/payments/authorization/signature.ts'
import { TOKEN } from '../../../src/sandbox/addresses.ts'

const PAYER = `0x${'ab'.repeat(20)}` as const
const token = { asset: TOKEN, domain: { name: 'USD Coin', version: '2', chainId: 8453 } } as const
const authorization = {
  ...({ from: PAYER, to: TOKEN, nonce: `0x${'00'.repeat(32)}` } as const),
  ...({ value: 1_000n, validAfter: 0n, validBefore: 1n } as const),
}

/** Every signature in form is the payer's here. */
const judge = createSignatureJudge(token, async () => PAYER)
const verdictOn = (signature: string) => judge({ authorization, token, signature: `0x${signature}` })

const hex = (value: bigint) => value.toString(16).padStart(64, '0')
/** Order of secp256k1 (SEC 2, section 2.4.1). */
const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

test.each([
  ['r of nothing', 0n, 1n, '1b', 'out_of_form'],
  ['the least r and s', 1n, 1n, '1b', 'recovered'],
  ['the largest r', ORDER - 1n, 1n, '1b', 'recovered'],
  ['r of the order', ORDER, 1n, '1b', 'out_of_form'],
  ['s of nothing', 1n, 0n, '1b', 'out_of_form'],
  ['s of half the order', 1n, ORDER / 2n, '1b', 'recovered'],
  ['s above half the order', 1n, ORDER / 2n + 1n, '1b', 'out_of_form'],
  ['v of 26', 1n, 1n, '1a', 'out_of_form'],
  ['v of 28', 1n, 1n, '1c', 'recovered'],
  ['v of 29', 1n, 1n, '1d', 'out_of_form'],
])('a signature with %s', async (_, r, s, v, verdict) => {
  expect(await verdictOn(hex(r) + hex(s) + v)).toBe(verdict)
})

test('one of less than 65 bytes is out of form, and a longer one can be that of a contract wallet', async () => {
  const ordinary = `${hex(1n) + hex(1n)}1b`
  expect(await verdictOn(ordinary.slice(2))).toBe('out_of_form')
  expect(await verdictOn(`${ordinary}00`)).toBe('other')
})

test('each member of the token that the client names goes into what is recovered', async () => {
  const seen = new Set<string>()
  const watching = createSignatureJudge(token, async (digest) => {
    seen.add(Buffer.from(digest).toString('hex'))
    return null
  })
  const domains = [token.domain, { ...token.domain, name: 'USDC' }, { ...token.domain, version: '1' }]
  const tokens = [...domains.map((domain) => ({ ...token, domain })), { ...token, asset: PAYER }]
  const signature = `0x${hex(1n)}${hex(1n)}1b` as const
  for (const named of tokens)
    expect(await watching({ authorization, signature, token: named })).toBe('out_of_form')
  expect(seen.size).toBe(4)
})
