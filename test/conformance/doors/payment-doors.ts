/** How a payment may be spelt, repeated and refused. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { Target, Trial } from '../target.ts'
import {
  a2aMessage,
  BUYERS,
  encoded,
  IN_BAND,
  inMetadata,
  type Json,
  mcp,
  newPayment,
  orderOf,
  type Payload,
  payFor,
  post,
  VALUE,
} from './exchange.ts'

const named = (payload: Payload, id: string | undefined): Payload => {
  const { extensions: _, ...bare } = payload
  const extensions = { 'payment-identifier': { info: { required: false, id }, schema: {} } }
  return id === undefined ? bare : { ...bare, extensions }
}

const newIdentifier = () => `order-${randomUUID()}`

/** What a repeat names in place of the identifier of the first request. */
const NAMES: Readonly<Record<string, () => string | undefined>> = {
  'another identifier': newIdentifier,
  'no identifier': () => undefined,
  'a malformed identifier': () => 'short',
}

const repeats: readonly Trial[] = Object.entries(NAMES).map(([what, nameOf]) => ({
  name: `one signed payment with ${what} the second time gets the first answer again, from each surface to each`,
  async run(target) {
    for (const [first, buy] of Object.entries(BUYERS)) {
      const payload = await newPayment(target)
      const sold = await buy(target, named(payload, newIdentifier()))
      assert.equal(sold.replayed, false)
      for (const [then, repeat] of Object.entries(BUYERS))
        assert.deepEqual(
          await repeat(target, named(payload, nameOf())),
          { ...sold, replayed: true },
          `${first}, then ${then}`,
        )
    }
  },
}))

const ORDER = 2n ** 255n
/** As wallets write a signature that leave 27 out, or that pack the parity into s (EIP-2098). */
const FORMS: Readonly<Record<string, (signature: string) => string>> = {
  'v of 0 or 1': (signature) => `${signature.slice(0, -2)}0${signature.endsWith('1b') ? 0 : 1}`,
  'EIP-2098': (signature) => {
    const s = BigInt(`0x${signature.slice(66, 130)}`) + (signature.endsWith('1b') ? 0n : ORDER)
    return `${signature.slice(0, 66)}${s.toString(16).padStart(64, '0')}`
  },
}

const signatures: readonly Trial[] = Object.entries(FORMS).map(([form, write]) => ({
  name: `a signature of the form ${form} pays, and is the same payment as in form`,
  async run(target) {
    for (const buy of Object.values(BUYERS)) {
      const payment = await newPayment(target)
      const signature = write(payment.payload.signature)
      const sold = await buy(target, { ...payment, payload: { ...payment.payload, signature } })
      assert.deepEqual(await buy(target, payment), { ...sold, replayed: true })
    }
  },
}))

type Bend = (payment: Payload) => void
const BENT: readonly (readonly [string, Bend])[] = [
  ['"accepted.extra"', ({ accepted }) => delete accepted.extra],
  ['"accepted.maxTimeoutSeconds"', ({ accepted }) => Object.assign(accepted, { maxTimeoutSeconds: 7 })],
]

/** The words in which each surface refuses a payment. */
const REFUSALS: Readonly<Record<string, (target: Target, payload: Payload) => Promise<Json>>> = {
  REST: async (target, payload) => {
    const headers = { 'PAYMENT-SIGNATURE': encoded(payload) }
    return (await post(target, '/api/validate/iban', { value: VALUE }, headers)).json
  },
  A2A: async (target, payload) =>
    (await a2aMessage(target, orderOf(), { 'PAYMENT-SIGNATURE': encoded(payload) })).json.error,
  'A2A in band': async (target, payload) =>
    (await a2aMessage(target, { ...orderOf(), metadata: inMetadata(payload) }, IN_BAND)).json.result.task
      .status,
  MCP: async (target, payload) => {
    const params = { name: 'validate_iban', arguments: { value: VALUE }, _meta: { 'x402/payment': payload } }
    return (await mcp(target, '2025-11-25', 'tools/call', params)).json.result.structuredContent
  },
}

/** A payment for the service's token under another name of it, as wallets guess it. */
async function underOtherDomain(target: Target): Promise<Payload> {
  const { headers } = await post(target, '/api/validate/iban', { value: VALUE })
  const required = JSON.parse(Buffer.from(headers.get('PAYMENT-REQUIRED') ?? '', 'base64').toString())
  const [terms] = required.accepts
  const guess = { ...terms, extra: { ...terms.extra, name: 'USDC' } }
  return { ...(await payFor(target, { ...required, accepts: [guess] })), accepted: terms }
}

export const paymentDoors: readonly Trial[] = [
  ...repeats,
  ...signatures,
  {
    name: 'a payment that does not match names the member that differs, and one of another domain the domain',
    async run(target) {
      const unlike = await Promise.all(
        BENT.map(async ([member, bend]) => {
          const payment = structuredClone(await newPayment(target))
          bend(payment)
          return [member, payment] as const
        }),
      )
      const cases = [...unlike, ['USD Coin', await underOtherDomain(target)] as const]
      for (const [surface, refusalOf] of Object.entries(REFUSALS))
        for (const [words, payment] of cases) {
          const said = JSON.stringify(await refusalOf(target, payment)).replaceAll('\\"', '"')
          assert.ok(said.includes(words), `${surface} says nothing of ${words}: ${said.slice(0, 900)}`)
        }
    },
  },
  {
    name: 'the documents say what does the work of Idempotency-Key',
    async run({ origin }) {
      const page = await (await fetch(`${origin}/docs/clients.md`)).text()
      assert.match(page, /`Idempotency-Key` is ignored, because the signed payment does its work\./)
    },
  },
]
