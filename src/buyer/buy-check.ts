import { createBuyer } from './buyer.ts'
import type { PurchaseOutcome, Shop } from './purchase.ts'
import { createWallet } from './wallet.ts'

export interface Purchase extends Shop {
  readonly value: string
  readonly privateKey: `0x${string}`
}

/** Buys one check, as any x402 client would. */
export function buyCheck({ value, privateKey, ...shop }: Purchase): Promise<PurchaseOutcome> {
  return createBuyer(shop).buy(value, createWallet(privateKey))
}
