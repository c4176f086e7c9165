import fc from 'fast-check'
import { bytesToHex, type Hex, hashTypedData, hexToBytes, toHex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { describe, expect, it } from 'vitest'
import { authorizationDigest } from '../../../src/payments/authorization/authorization-digest.ts'
import {
  fastestRecovery,
  nativeRecovery,
  recoverPortably,
} from '../../../src/payments/authorization/recover-signer.ts'
import { createSignatureJudge } from '../../../src/payments/authorization/signature.ts'
import type { Terms } from '../../../src/payments/terms/terms.ts'
import { TOKEN } from '../../../src/sandbox/addresses.ts'
import { TRANSFER_TYPES, tokenDomain } from '../../support/memory-chain/token-typed-data.ts'

const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length })
const account = privateKeyToAccount(generatePrivateKey())
const native = nativeRecovery()
const domain = tokenDomain(TOKEN)
const terms = {
  asset: TOKEN.toLowerCase() as Hex,
  domain: { name: 'USD Coin', version: '2', chainId: 8453 },
} as Terms

const uint256 = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n })
const address = bytes(20).map((raw) => bytesToHex(raw))
const authorization = fc.record({
  from: address,
  to: address,
  value: uint256,
  validAfter: uint256,
  validBefore: uint256,
  nonce: bytes(32).map((raw) => bytesToHex(raw)),
})

it('there is a native recovery on this machine, and it is the one used', () => {
  expect(native).toBeDefined()
})

it('a binding that does not load leaves the portable recovery', () => {
  const missing = () => {
    throw new Error('no binary for this platform')
  }
  expect(nativeRecovery(missing)).toBeUndefined()
})

describe('native and portable recovery say the same', () => {
  it('of signatures', async () => {
    await fc.assert(
      fc.asyncProperty(bytes(32), async (digest) => {
        const signature = hexToBytes(await account.sign({ hash: bytesToHex(digest) }))
        expect(await fastestRecovery()(digest, signature)).toBe(account.address.toLowerCase())
        expect(await recoverPortably(digest, signature)).toBe(account.address.toLowerCase())
      }),
      { numRuns: 40 },
    )
  })

  it('of noise in the form of a signature', async () => {
    const noise = fc.tuple(bytes(32), bytes(64), fc.constantFrom(27, 28))
    await fc.assert(
      fc.asyncProperty(noise, async ([digest, rs, v]) => {
        const signature = Uint8Array.of(...rs, v)
        expect(await native!(digest, signature)).toBe(await recoverPortably(digest, signature))
      }),
      { numRuns: 150 },
    )
  })

  it('of signatures with a bit turned', async () => {
    const digest = new Uint8Array(32).fill(7)
    const signed = hexToBytes(await account.sign({ hash: bytesToHex(digest) }))
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: 511 }), async (bit) => {
        const signature = Uint8Array.from(signed)
        signature[bit >> 3]! ^= 1 << (bit & 7)
        const signer = await native!(digest, signature)
        expect(signer).toBe(await recoverPortably(digest, signature))
        expect(signer).not.toBe(account.address.toLowerCase())
      }),
      { numRuns: 100 },
    )
  })

  it.each([
    ['r of zero', '00'.repeat(32), '01'.padStart(64, '0')],
    ['s of zero', '01'.padStart(64, '0'), '00'.repeat(32)],
    [
      'r of the order',
      'fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141',
      '01'.padStart(64, '0'),
    ],
    ['r on no point', '05'.padStart(64, '0'), '01'.padStart(64, '0')],
    ['all ones', 'ff'.repeat(32), 'ff'.repeat(32)],
  ])('of %s: there is no signer', async (_, r, s) => {
    for (const v of ['1b', '1c']) {
      const signature = Buffer.from(r + s + v, 'hex')
      const digest = new Uint8Array(32).fill(9)
      expect(await native!(digest, signature)).toBe(await recoverPortably(digest, signature))
    }
  })
})

it('the digest is the one of EIP-712', () => {
  const digestOf = authorizationDigest(terms)
  fc.assert(
    fc.property(authorization, (message) => {
      const expected = hashTypedData({
        domain,
        types: TRANSFER_TYPES,
        primaryType: 'TransferWithAuthorization',
        message,
      })
      expect(bytesToHex(digestOf(message))).toBe(expected)
    }),
    { numRuns: 200 },
  )
})

describe('the judge', () => {
  const message = {
    from: account.address.toLowerCase() as Hex,
    to: TOKEN.toLowerCase() as Hex,
    value: 1000n,
    validAfter: 0n,
    validBefore: 2_000_000_000n,
    nonce: toHex(1n, { size: 32 }),
  }
  const sign = () =>
    account.signTypedData({
      domain,
      types: TRANSFER_TYPES,
      primaryType: 'TransferWithAuthorization',
      message,
    })

  it.each([
    ['native', native!],
    ['portable', recoverPortably],
  ])('tells the payer from another signer and from no signature, with the %s recovery', async (_, recover) => {
    const judge = createSignatureJudge(terms, recover)
    const signature = await sign()
    const kindOf = async (signed: string, authorization = message) =>
      (await judge({ token: terms, authorization, signature: signed as Hex })).kind
    expect(await kindOf(signature)).toBe('recovered')
    expect(await kindOf(signature, { ...message, from: TOKEN.toLowerCase() as Hex })).toBe('other')
    expect(await kindOf(`${signature}00`)).toBe('other')
    expect(await kindOf(signature.slice(0, -4))).toBe('out_of_form')
    const isOdd = signature.endsWith('1c')
    for (const [v, kind] of [
      ...([
        ['00', isOdd ? 'out_of_form' : 'recovered'],
        ['01', isOdd ? 'recovered' : 'out_of_form'],
      ] as const),
      ...(['1d', 'ff'] as const).map((other) => [other, 'out_of_form'] as const),
    ])
      expect(await kindOf(signature.slice(0, -2) + v)).toBe(kind)
  })

  it('refuses the second form of a signature, with s in the upper half', async () => {
    const signature = await sign()
    const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
    const s = BigInt(`0x${signature.slice(66, 130)}`)
    const flipped = signature.endsWith('1b') ? '1c' : '1b'
    const high = toHex(order - s, { size: 32 }).slice(2)
    const twin = (signature.slice(0, 66) + high + flipped) as Hex
    expect(
      await createSignatureJudge(terms)({ token: terms, authorization: message, signature: twin }),
    ).toEqual({
      kind: 'out_of_form',
    })
  })

  it.each([
    ['s of half the order', '7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0', false],
    ['s one above it', '7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a1', true],
  ])('takes %s for what it is', async (_, s, refused) => {
    const signature = `0x${'79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798'}${s}1b` as Hex
    const { kind } = await createSignatureJudge(terms)({ token: terms, authorization: message, signature })
    expect(kind === 'out_of_form').toBe(refused)
  })
})
