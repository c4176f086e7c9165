import { BATCH_SETTLEMENT_ADDRESS } from '@x402/evm'
import { isAddressEqual } from 'viem'
import { countOf } from './aggregate.ts'
import { type ContractCall, type Fees, SINGLE_SETTLEMENT_GAS } from './gas.ts'

/** The settlement costs more than the operator allows; nothing was sent. */
export class SettlementTooExpensive extends Error {
  override readonly name = 'SettlementTooExpensive'
}

/** A call, as far as its cost follows from it. */
export interface PricedCall {
  readonly call: ContractCall
  readonly gas: bigint
  /** Wei for the data on Ethereum; 0 by default. */
  readonly dataFee?: bigint
}

/** The most that a settlement may cost, and whether the last price asked for was above it. */
export interface CostBound {
  /** Lowers fees until a call never costs more than the bound; throws {@link SettlementTooExpensive} if it would now. */
  lower(fees: Fees, call: PricedCall): Fees
  /** Whether a call would be above the bound at these fees. */
  isExceeded(fees: Fees, call: PricedCall): boolean
  /** True from a price above the bound until one within it. */
  isTooExpensive(): boolean
}

/** Keeps settlements below `maxCost` wei, data fee included; without it nothing is too expensive. */
export function createCostBound(maxCost: bigint | undefined): CostBound {
  let isTooExpensive = false
  return {
    lower(fees, priced) {
      if (maxCost === undefined) return fees
      const ceiling = ceilingOf(maxCost, priced)
      isTooExpensive = presentPrice(fees) > ceiling
      if (isTooExpensive)
        throw new SettlementTooExpensive('a settlement costs more than SETTLEMENT_MAX_COST_USD')
      return {
        maxFeePerGas: min(fees.maxFeePerGas, ceiling),
        maxPriorityFeePerGas: min(fees.maxPriorityFeePerGas, ceiling),
      }
    },
    isExceeded(fees, priced) {
      const isExceeded = maxCost !== undefined && fees.maxFeePerGas > ceilingOf(maxCost, priced)
      if (isExceeded) isTooExpensive = true
      return isExceeded
    },
    isTooExpensive: () => isTooExpensive,
  }
}

/**
 * Wei that a unit of gas may cost, with the data fee of the whole transaction. A batch may cost as much as its settlements would alone. One act of payment channels pays for many
 * calls, so it may cost more in proportion to its gas; else one claim would pause all sales.
 */
function ceilingOf(maxCost: bigint, { call, gas, dataFee = 0n }: PricedCall): bigint {
  const isLargeAct = isAddressEqual(call.to, BATCH_SETTLEMENT_ADDRESS) && gas > SINGLE_SETTLEMENT_GAS
  const allowed = isLargeAct ? (maxCost * gas) / SINGLE_SETTLEMENT_GAS : maxCost * BigInt(countOf(call))
  return allowed > dataFee ? (allowed - dataFee) / gas : 0n
}

/** Wei per unit of gas. The estimate allows for the base fee to rise by a fifth; what it is now decides. */
const presentPrice = ({ maxFeePerGas, maxPriorityFeePerGas }: Fees): bigint =>
  ((maxFeePerGas - maxPriorityFeePerGas) * 10n) / 12n + maxPriorityFeePerGas

const min = (a: bigint, b: bigint) => (a < b ? a : b)
