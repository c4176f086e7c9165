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
const verdictOn = async (signature: string) =>
  (await judge({ authorization, token, signature: `0x${signature}` })).kind

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

test.each([
  ['v of 0', `${hex(1n)}${hex(2n)}00`, '1b'],
  ['v of 1', `${hex(1n)}${hex(2n)}01`, '1c'],
  ['an even parity in s', `${hex(1n)}${hex(2n)}`, '1b'],
  ['an odd parity in s', `${hex(1n)}${hex(2n + 2n ** 255n)}`, '1c'],
])('a signature with %s is brought into form', async (_, signature, v) => {
  expect(await judge({ authorization, token, signature: `0x${signature}` })).toEqual({
    kind: 'recovered',
    signature: `0x${hex(1n)}${hex(2n)}${v}`,
  })
})

test('one that does not recover is not brought into form', async () => {
  const strange = createSignatureJudge(token, async () => TOKEN)
  const judged = (signature: string) => strange({ authorization, token, signature: `0x${signature}` })
  const inForm = `${hex(1n)}${hex(2n)}1b`
  expect(await judged(inForm)).toEqual({ kind: 'other', signature: `0x${inForm}` })
  expect(await judged(`${inForm}00`)).toEqual({ kind: 'other', signature: `0x${inForm}00` })
  for (const other of [`${hex(1n)}${hex(2n)}00`, hex(1n) + hex(2n)])
    expect(await judged(other)).toEqual({ kind: 'out_of_form' })
})

test('one of less than 64 bytes is out of form, and one of more than 65 can be that of a contract wallet', async () => {
  const ordinary = `${hex(1n) + hex(1n)}1b`
  expect(await verdictOn(ordinary.slice(4))).toBe('out_of_form')
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
    expect(await watching({ authorization, signature, token: named })).toEqual({ kind: 'out_of_form' })
  expect(seen.size).toBe(4)
})
