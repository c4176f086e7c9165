import type { FacilitatorClient } from '@x402/core/server'
import { createOffers } from '../../../src/app/payments/offers.ts'
import type { ChainReader } from '../../../src/payments/chain/chain-reader.ts'
import { BASE } from '../../../src/payments/networks/base.ts'
import { newReceiptKey, readReceiptKey } from '../../../src/receipts/receipt-key.ts'
import { realRegistry } from '../../support/registry.ts'

export const PAY_TO = `0x${'44'.repeat(20)}`

/** A quote needs nothing of a facilitator. */
const UNREACHABLE: FacilitatorClient = {
  verify: () => Promise.reject(new Error('must not be called')),
  settle: () => Promise.reject(new Error('must not be called')),
  getSupported: () => Promise.reject(new Error('must not be called')),
}

/** What the service offers, under a public address of the test's choice. */
export async function realQuotes(baseUrl: string, now: () => number = Date.now) {
  const registry = realRegistry()
  const offers = await createOffers({
    networks: [
      {
        ...{ network: BASE, facilitator: UNREACHABLE, pausedBy: () => null },
        chain: {} as ChainReader,
      },
    ],
    payTo: PAY_TO,
    receiptKey: readReceiptKey(newReceiptKey()),
    baseUrl,
    registry,
    now,
  })
  return { registry, ...offers }
}
