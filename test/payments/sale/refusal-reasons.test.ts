import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Sale } from '../../../src/payments/ports/sale.ts'
import { rawPaymentOf } from '../../support/bench-buyer.ts'
import { type SaleBench, startSaleBench } from '../../support/sale-bench.ts'

let bench: SaleBench
beforeEach(async () => {
  bench = await startSaleBench()
})
afterEach(() => bench.stop())

/** What the terms of a refusal say of it, in the object and in the header. */
function reasonOf(sale: Sale): string {
  if (sale.kind !== 'unpaid') throw new Error(sale.kind)
  const { error } = sale.quote.required(sale.code)
  const header = JSON.parse(Buffer.from(sale.quote.header(sale.code), 'base64').toString())
  expect(header.error).toBe(error)
  expect(error).toMatch(new RegExp(`^${sale.code}: `))
  expect(error).toContain(sale.why)
  return String(error)
}

type Loose = Record<string, unknown>
const bent = async (bend: (accepted: Loose, payment: Loose) => void) => {
  const { payload } = await (await bench.buyer()).sign()
  const copy = structuredClone(payload) as unknown as Loose & { accepted: Loose }
  bend(copy.accepted, copy)
  return bench.sell(rawPaymentOf(copy))
}

const STRANGER = `0x${'42'.repeat(20)}` as const

describe('a payment that does not match the terms: the member that differs is named', () => {
  test.each<[string, (accepted: Loose, payment: Loose) => void]>([
    ['accepted.network', (accepted) => Object.assign(accepted, { network: 'eip155:1' })],
    ['accepted.scheme', (accepted) => Object.assign(accepted, { scheme: 'upto' })],
    ['accepted.asset', (accepted) => Object.assign(accepted, { asset: STRANGER })],
    ['accepted.asset', (accepted) => Object.assign(accepted, { asset: 'x' })],
    ['accepted.extra', (accepted) => delete accepted.extra],
    ['accepted.extra.name', (accepted) => Object.assign(accepted, { extra: { version: '2' } })],
    ['accepted.extra.version', (accepted) => Object.assign(accepted, { extra: { name: 'USD Coin' } })],
    ['accepted.amount', (accepted) => Object.assign(accepted, { amount: '999' })],
    ['accepted.payTo', (accepted) => Object.assign(accepted, { payTo: STRANGER })],
    ['accepted.maxTimeoutSeconds', (accepted) => Object.assign(accepted, { maxTimeoutSeconds: 121 })],
    ['payload.authorization', (_, payment) => Object.assign(payment, { payload: { other: 1 } })],
  ])('%s', async (member, bend) => {
    const sale = await bent(bend)
    expect(sale).toMatchObject({ kind: 'unpaid', code: 'payment_terms_mismatch' })
    expect(reasonOf(sale)).toContain(`"${member}"`)
  })

  test.each([
    ['payload.authorization.value', { value: '999' }],
    ['payload.authorization.to', { to: STRANGER }],
  ])('%s, which was signed', async (member, fields) => {
    const { rawPayment } = await (await bench.buyer()).sign(fields)
    expect(reasonOf(await bench.sell(rawPayment))).toContain(`"${member}"`)
  })

  test('in version 1, too', async () => {
    const { payload } = await (await bench.buyer()).sign({ value: '999' })
    const version1 = { x402Version: 1, scheme: 'exact', network: 'base', payload: payload.payload }
    const reasons = [version1, { ...version1, scheme: 'upto' }].map(async (payment) =>
      reasonOf(await bench.sell(rawPaymentOf(payment))),
    )
    const [amount, scheme] = await Promise.all(reasons)
    expect(amount).toContain('"payload.authorization.value"')
    expect(scheme).toContain('"scheme"')
  })

  test('also when channels are asked for', async () => {
    const sale = await bent((accepted) => delete accepted.extra)
    if (sale.kind !== 'unpaid') throw new Error(sale.kind)
    expect(sale.quote.ofAllSchemes?.required(sale.code).error).toBe(
      sale.quote.ofAllSchemes && sale.quote.required(sale.code).error,
    )
  })
})

describe('a signature that is not the payer’s', () => {
  test('gets the domain that was expected', async () => {
    const { payload } = await (await bench.buyer()).sign()
    const { signature, ...rest } = payload.payload as { signature: string }
    const forged = `${signature.slice(0, 10)}${signature.slice(10, 11) === '0' ? '1' : '0'}${signature.slice(11)}`
    const { asset } = bench.layer.context.terms.requirements
    for (const spoilt of [forged, forged.slice(0, -4), `${forged}00`]) {
      const sale = await bench.sell(rawPaymentOf({ ...payload, payload: { ...rest, signature: spoilt } }))
      expect(sale).toMatchObject({ code: 'payment_invalid_signature' })
      expect(reasonOf(sale)).toContain(
        `EIP-712 domain name "USD Coin", version "2", chainId 8453, verifyingContract ${asset}`,
      )
    }
  })

  test('signed under the name "USDC" gets the domain or the member', async () => {
    const accepted = { extra: { name: 'USDC', version: '2' } }
    const sale = await bent((terms) => Object.assign(terms, accepted))
    expect(sale).toMatchObject({ kind: 'unpaid' })
    expect(reasonOf(sale)).toMatch(/"accepted\.extra\.name"|name "USD Coin"/)
  })
})
