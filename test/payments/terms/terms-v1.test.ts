import type { PaymentRequired, PaymentRequirements } from '@x402/core/types'
import { expect, test } from 'vitest'
import { paymentRequiredV1, receiptHeaderV1 } from '../../../src/payments/terms/terms-v1.ts'

const terms = {
  scheme: 'exact',
  network: 'eip155:8453',
  amount: '1000',
  maxTimeoutSeconds: 120,
  payTo: `0x${'11'.repeat(20)}`,
  asset: `0x${'22'.repeat(20)}`,
  extra: { name: 'USD Coin' },
} satisfies PaymentRequirements
const resource = { url: 'https://checks.example', description: 'A check.', mimeType: 'application/json' }
const required = { x402Version: 2, error: 'why', resource, accepts: [terms] } satisfies PaymentRequired

test('terms of version 1 say the same in other names', () => {
  const { amount, network: _network, ...same } = terms
  const { url, ...described } = resource
  expect(paymentRequiredV1(required, { input: 1 })).toEqual({
    x402Version: 1,
    error: 'why',
    accepts: [
      {
        ...{ ...same, ...described, network: 'base', maxAmountRequired: amount, resource: url },
        outputSchema: { input: 1 },
      },
    ],
  })
})

test('what is missing in version 2 is empty in version 1, whose clients refuse null', () => {
  const bare = { x402Version: 2, accepts: [{ ...terms, extra: null }] } as unknown as PaymentRequired
  expect(paymentRequiredV1(bare)).toMatchObject({
    error: '',
    accepts: [{ resource: '', description: '', mimeType: '', outputSchema: {}, extra: {} }],
  })
})

test('no other scheme is offered in version 1', () => {
  const channels = { ...terms, scheme: 'batch-settlement' }
  expect(paymentRequiredV1({ ...required, accepts: [channels, terms] }).accepts).toHaveLength(1)
})

test('a receipt of version 1 names the network in its own way, and holds no extensions', () => {
  const receipt = { success: true, payer: `0x${'33'.repeat(20)}`, transaction: `0x${'44'.repeat(32)}` }
  const header = receiptHeaderV1({ ...receipt, network: 'eip155:8453', extensions: { any: 1 } })
  expect(JSON.parse(Buffer.from(header, 'base64').toString())).toEqual({ ...receipt, network: 'base' })
})
