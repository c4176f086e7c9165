/** The validators of `@x402/extensions`, over every 402 that the service sends and the receipts that follow. */
import assert from 'node:assert/strict'
import {
  a2aMessage,
  BUYERS,
  IN_BAND,
  type Json,
  mcp,
  orderOf,
  type Payload,
  payFor,
  post,
  VALUE,
} from '../doors/exchange.ts'
import type { Target, Trial } from '../target.ts'

// Named in variables because this folder's packages are absent when the product is type-checked.
const BAZAAR = '@x402/extensions/bazaar'
const IDENTIFIER = '@x402/extensions/payment-identifier'
const RECEIPTS = '@x402/extensions/offer-receipt'

const decoded = (header: string | null): Json =>
  header === null ? undefined : JSON.parse(Buffer.from(header, 'base64').toString())

/** Terms of every kind of offer, by where they were found. */
async function offersOf(target: Target): Promise<Readonly<Record<string, Json>>> {
  const rest = async (path: string, body: unknown) =>
    decoded((await post(target, path, body)).headers.get('PAYMENT-REQUIRED'))
  const item = { type: 'iban', value: VALUE }
  const over = await a2aMessage(target, orderOf())
  const inBand = await a2aMessage(target, orderOf(), IN_BAND)
  const tool = (name: string, args: object) =>
    mcp(target, '2025-11-25', 'tools/call', { name, arguments: args })
  const { types } = (await (await fetch(`${target.origin}/api/types`)).json()) as Json
  const checks = types.map(async ({ endpoint }: Json) => [endpoint, await rest(endpoint, { value: 'x' })])
  return {
    ...Object.fromEntries(await Promise.all(checks)),
    'a list': await rest('/api/validate/batch', { items: [item] }),
    'a list of one type': await rest('/api/validate/iban/batch', { values: [VALUE] }),
    'a header of A2A': decoded(over.headers.get('PAYMENT-REQUIRED')),
    'an error of A2A': over.json.error.data.find((each: Json) => each.value?.accepts)?.value,
    'a task of A2A': inBand.json.result.task.status.message.metadata['x402.payment.required'],
    'a tool': (await tool('validate_iban', { value: VALUE })).json.result.structuredContent,
    'the tool for lists': (await tool('validate_batch', { items: [item] })).json.result.structuredContent,
  }
}

export const x402ExtensionTrials: readonly Trial[] = [
  {
    name: '@x402/extensions 2.27.0 finds no fault with the extensions of any 402',
    async run(target) {
      const { validateDiscoveryExtension, validateDiscoveryExtensionSpec } = await import(BAZAAR)
      const { isPaymentIdentifierExtension } = await import(IDENTIFIER)
      const { extractOffersFromPaymentRequired } = await import(RECEIPTS)
      const offers = await offersOf(target)
      for (const [where, required] of Object.entries(offers)) {
        assert.equal(required?.x402Version, 2, where)
        const { bazaar, 'payment-identifier': identifier, ...others } = required.extensions ?? {}
        if (bazaar !== undefined) {
          assert.deepEqual(validateDiscoveryExtension(bazaar), { valid: true }, where)
          assert.deepEqual(validateDiscoveryExtensionSpec(bazaar), { valid: true }, where)
        }
        if (identifier !== undefined) assert.ok(isPaymentIdentifierExtension(identifier), where)
        assert.ok(Array.isArray(extractOffersFromPaymentRequired(required)), where)
        assert.deepEqual(
          Object.keys(others).filter((name) => name !== 'offer-receipt'),
          [],
          where,
        )
      }
      assert.ok(offers['/api/validate/iban'].extensions.bazaar)
      assert.ok(offers['/api/validate/iban'].extensions['payment-identifier'])
      assert.ok(offers['a tool'].extensions.bazaar)
    },
  },
  {
    name: '@x402/extensions 2.27.0 makes an identifier that pays, and verifies the receipt',
    async run(target) {
      const { appendPaymentIdentifierToExtensions, extractAndValidatePaymentIdentifier, generatePaymentId } =
        await import(IDENTIFIER)
      const { extractReceiptFromResponse, verifyReceiptSignatureJWS } = await import(RECEIPTS)
      const required = (await offersOf(target))['/api/validate/iban']
      const id = generatePaymentId()
      const extensions = structuredClone(required.extensions)
      appendPaymentIdentifierToExtensions(extensions, id)
      const payment: Payload = { ...(await payFor(target, required)), extensions }
      assert.equal(extractAndValidatePaymentIdentifier(payment).id, id)
      assert.equal((await BUYERS.REST?.(target, payment))?.replayed, false)
      const repeated = await fetch(`${target.origin}/api/validate/iban`, {
        method: 'POST',
        headers: {
          'Content-Type': 'application/json',
          'PAYMENT-SIGNATURE': Buffer.from(JSON.stringify(payment)).toString('base64'),
        },
        body: JSON.stringify({ value: VALUE }),
      })
      const receipt = extractReceiptFromResponse(repeated)
      assert.ok(receipt)
      const did = (await (await fetch(`${target.origin}/.well-known/did.json`)).json()) as Json
      const { publicKeyJwk } = did.verificationMethod[0]
      const { payer, resourceUrl } = await verifyReceiptSignatureJWS(receipt, publicKeyJwk)
      assert.equal(payer.toLowerCase(), payment.payload.authorization.from.toLowerCase())
      assert.equal(resourceUrl, required.resource.url)
    },
  },
]
