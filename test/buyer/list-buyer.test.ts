import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { encodePaymentRequiredHeader } from '@x402/core/http'
import type { PaymentPayload, PaymentRequired } from '@x402/core/types'
import { expect, onTestFinished, test } from 'vitest'
import { createListBuyer } from '../../src/buyer/list-buyer.ts'
import { BASE } from '../../src/payments/networks/base.ts'
import { USDC } from '../../src/payments/networks/usdc.ts'

/** A service that refuses every payment; counts the requests without one. */
async function refusingService() {
  let asked = 0
  const server = createServer((req, res) => {
    if (req.headers['payment-signature'] === undefined) asked += 1
    const required = {
      x402Version: 2,
      error: 'payment_terms_mismatch',
      resource: { url: 'http://localhost/' },
      accepts: [
        {
          scheme: 'exact',
          network: BASE.id,
          asset: USDC,
          amount: '2000',
          payTo: `0x${'1'.repeat(40)}`,
          maxTimeoutSeconds: 60,
          extra: { name: 'USD Coin', version: '2' },
        },
      ],
    } as PaymentRequired
    res.writeHead(402, { 'PAYMENT-REQUIRED': encodePaymentRequiredHeader(required) }).end('{}')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked: () => asked }
}

test('asks for terms once per length, and again after a payment by them was refused', async () => {
  const { url, asked } = await refusingService()
  const buyer = createListBuyer({ url, maxAmount: 1_000n, type: 'iban' })
  const ibans = (...values: string[]) => values.map((value) => ({ type: 'iban', value }) as const)
  await buyer.quote(ibans('A', 'B'))
  await buyer.quote(ibans('C', 'D'))
  expect(asked()).toBe(1)

  expect((await buyer.send(ibans('C', 'D'), {} as PaymentPayload)).kind).toBe('unpaid')
  await buyer.quote(ibans('C', 'D'))
  expect(asked()).toBe(2)
})
