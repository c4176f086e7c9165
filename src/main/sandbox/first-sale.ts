import { parseUnits } from 'viem/utils'
import { createBuyer } from '../../../packages/command/src/buyer/buyer.ts'
import type { PurchaseOutcome } from '../../../packages/command/src/buyer/purchase.ts'
import { createWallet } from '../../../packages/command/src/buyer/wallet.ts'
import { PRICE_USD } from '../../catalog/price.ts'
import { USDC_DECIMALS } from '../../payments/networks/usdc.ts'
import type { SandboxService } from './start-sandbox.ts'

/** The published example of ISO 13616 for the United Kingdom; not a real account. */
export const EXAMPLE_IBAN = 'GB82 WEST 1234 5698 7654 32'

/** Makes one real paid check through the public port, to show that the whole sale works. */
export function makeFirstSale({
  url,
  sandbox,
}: Pick<SandboxService, 'url' | 'sandbox'>): Promise<PurchaseOutcome> {
  const maxAmount = parseUnits(PRICE_USD, USDC_DECIMALS)
  const buyer = createBuyer({ url, type: 'iban', maxAmount })
  return buyer.buy(EXAMPLE_IBAN, createWallet(sandbox.buyer.privateKey))
}
