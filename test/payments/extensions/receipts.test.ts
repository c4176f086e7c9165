import { createPublicKey, type webcrypto } from 'node:crypto'
import type { SettleResponse } from '@x402/core/types'
import {
  canonicalize,
  decodeSignedOffers,
  extractOffersFromPaymentRequired,
  isJWSSignedReceipt,
  type SignedReceipt,
  verifyOfferSignatureJWS,
  verifyReceiptMatchesOffer,
  verifyReceiptSignatureJWS,
} from '@x402/extensions/offer-receipt'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { resourceUrl } from '../../../src/payments/terms/quoted-resource.ts'
import { ReceiptFault, readReceipt, verifyReceipt } from '../../../src/receipts/verify-receipt.ts'
import { type Counter, countersOf } from '../../support/buy-over.ts'
import { payloadFor } from '../../support/payment-header.ts'
import { firstExample, realRegistry } from '../../support/registry.ts'
import { startTestService, type TestService } from '../../support/sandbox-service.ts'

const registry = realRegistry()
let service: TestService
let counters: ReturnType<typeof countersOf>
beforeAll(async () => {
  service = await startTestService()
  counters = countersOf(service.url)
})
afterAll(() => service.stop())

describe.each(['rest', 'a2a', 'mcp'] as const)('a sale over %s', (surface) => {
  const counter = (): Counter => counters[surface]

  it.each(
    registry.all.map((skill) => [skill.id, skill] as const),
  )('of %s is offered and receipted by a key its buyer can find', async (_id, skill) => {
    const { input, output } = firstExample(skill)
    const { required } = await counter().ask(skill, input.value)
    const [offer] = decodeSignedOffers(extractOffersFromPaymentRequired(required))
    if (offer?.signedOffer.format !== 'jws') throw new Error('no offer')
    // Without a key the package looks the key up under the did:web name, that is, at /.well-known/did.json.
    await verifyOfferSignatureJWS(offer.signedOffer)

    const payload = await payloadFor(service.buyer, service.sandbox.payTo)
    const { verdict, settlement } = await counter().buy(skill, input.value, payload)
    expect(verdict).toEqual(output)
    const receipt = receiptIn(settlement)
    if (!isJWSSignedReceipt(receipt)) throw new Error('no receipt in JWS')
    expect(await verifyReceiptSignatureJWS(receipt)).toEqual({
      version: 1,
      network: 'eip155:8453',
      resourceUrl: resourceUrl(service.url, { type: skill.id, shape: 'single' }, surface),
      payer: service.buyer.address,
      payTo: service.sandbox.payTo,
      issuedAt: expect.any(Number),
      transaction: settlement.transaction,
      amount: '1000',
      requestHash: expect.stringMatching(/^[0-9a-f]{64}$/),
      resultHash: expect.stringMatching(/^[0-9a-f]{64}$/),
    })
    for (const { signature } of [offer.signedOffer, receipt]) {
      const signed = Buffer.from(signature.split('.')[1] ?? '', 'base64url').toString()
      expect(signed).toBe(canonicalize(JSON.parse(signed)))
    }
    const file = { receipt: settlement, request: { type: skill.id, value: input.value }, result: verdict }
    const key = createPublicKey({ key: await publishedJwk(), format: 'jwk' })
    verifyReceipt(readReceipt(file), key)
    expect(() =>
      verifyReceipt(readReceipt({ ...file, request: { type: skill.id, value: 'x' } }), key),
    ).toThrow(ReceiptFault)
    expect(verifyReceiptMatchesOffer(receipt, offer, [service.buyer.address])).toBe(true)
    expect(verifyReceiptMatchesOffer(receipt, offer, [service.sandbox.payTo])).toBe(false)

    const again = await counter().buy(skill, input.value, payload)
    expect(JSON.stringify(again.settlement)).toBe(JSON.stringify(settlement))
  })
})

async function publishedJwk(): Promise<webcrypto.JsonWebKey> {
  const { keys } = await (await fetch(`${service.url}/.well-known/jwks.json`)).json()
  return keys.find(({ crv }: webcrypto.JsonWebKey) => crv === 'Ed25519')
}

function receiptIn(settlement: SettleResponse): SignedReceipt {
  const { info } = settlement.extensions?.['offer-receipt'] as { info: { receipt: SignedReceipt } }
  return info.receipt
}
