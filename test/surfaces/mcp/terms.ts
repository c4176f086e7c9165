import type { PaymentRequired, SettleResponse } from '@x402/core/types'
import type { Skill } from '../../../src/catalog/skill.ts'
import type { UnpaidCode } from '../../../src/errors.ts'
import type { Quote } from '../../../src/payments/ports/sale.ts'

export const ASSET = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'
export const PAY_TO = '0x1111111111111111111111111111111111111111'

/** Terms as the payment layer gives them. */
export function termsOf(baseUrl: string, skill: Skill, items = 1): Quote {
  const required = (code: UnpaidCode): PaymentRequired => ({
    x402Version: 2,
    error: `${code}: pay with x402 version 2`,
    resource: { url: `${baseUrl}/mcp`, description: skill.summary, mimeType: 'application/json' },
    accepts: [
      {
        scheme: 'exact',
        network: 'eip155:8453',
        asset: ASSET,
        amount: String(1000 * items),
        payTo: PAY_TO,
        maxTimeoutSeconds: 120,
        extra: { name: 'USD Coin', version: '2' },
      },
    ],
  })
  return { required, header: (code) => Buffer.from(JSON.stringify(required(code))).toString('base64') }
}

export const RECEIPT: SettleResponse = {
  success: true,
  transaction: `0x${'ab'.repeat(32)}`,
  network: 'eip155:8453',
  payer: '0x2222222222222222222222222222222222222222',
}
