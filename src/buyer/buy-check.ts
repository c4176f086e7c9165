import type { Hex } from 'viem'
import { createBuyer } from './buyer.ts'
import type { PurchaseOptions, PurchaseOutcome } from './purchase.ts'
import { createWallet } from './wallet.ts'

export interface Purchase extends PurchaseOptions {
  readonly value: string
  readonly privateKey: Hex
}

/** Buys one check, as any x402 client would. */
export function buyCheck({ value, privateKey, ...options }: Purchase): Promise<PurchaseOutcome> {
  return createBuyer(options).buy(value, createWallet(privateKey, options.network))
}
