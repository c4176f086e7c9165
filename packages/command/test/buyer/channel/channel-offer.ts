import type { PaymentRequired } from '@x402/core/types'

/** An offer of a payment channel in USDC on Base, with other members of its terms and their `extra`. */
export const channelOffer = (extra: object = {}, terms: object = {}): PaymentRequired => ({
  x402Version: 2,
  resource: {
    url: 'https://checks.example/api/validate/iban',
    description: 'IBAN',
    mimeType: 'application/json',
  },
  accepts: [
    {
      scheme: 'batch-settlement',
      network: 'eip155:8453',
      amount: '1000',
      asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
      payTo: '0x209693Bc6afc0C5328bA36FaF03C514EF312287C',
      maxTimeoutSeconds: 120,
      ...terms,
      extra: {
        name: 'USD Coin',
        version: '2',
        receiverAuthorizer: '0x857b06519E91e3A54538791bDbb0E22373e36b66',
        withdrawDelay: 86_400,
        ...extra,
      },
    },
  ],
})
