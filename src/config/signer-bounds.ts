import { weiOf } from './facilitator.ts'
import type { CleanSettings } from './settings.ts'

/** A settlement takes some 100,000 gas. Fees are raised by a quarter each time that a transaction is late. */
const PRICE_HEADROOM = 20n
const GAS_OF_SETTLEMENT = 100_000n

/** What the signer signs at most: wei a day, atomic units of refunds a day, and wei for a unit of gas. */
export function readSignerBounds(env: CleanSettings) {
  const ethUsd = BigInt(Math.max(1, env.SETTLEMENT_ETH_USD))
  const maxCost = weiOf(env.SETTLEMENT_MAX_COST_USD, ethUsd)
  return {
    dailyWei: weiOf(env.SIGNER_DAILY_USD, ethUsd),
    dailyRefunds: env.SIGNER_DAILY_REFUNDS_USD,
    mostPrice: (maxCost * PRICE_HEADROOM) / GAS_OF_SETTLEMENT,
  }
}
