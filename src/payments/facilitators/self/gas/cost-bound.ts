import { BATCH_SETTLEMENT_ADDRESS } from '@x402/evm'
import { isAddressEqual } from 'viem'
import type { TransactionCall } from '../../../chain/contract-call.ts'
import { countOf } from '../../../chain/settlement-calls.ts'
import type { Fees } from '../transaction/settlement-transaction.ts'
import { SINGLE_SETTLEMENT_GAS, USUAL_SETTLEMENT_GAS } from './gas.ts'

/** Nothing was sent. */
export class SettlementTooExpensive extends Error {
  override readonly name = 'SettlementTooExpensive'
}

export interface PricedCall {
  readonly call: TransactionCall
  readonly gas: bigint
  /** Wei for the data on Ethereum; 0 by default. */
  readonly dataFee?: bigint
}

export interface CostBound {
  /** Throws {@link SettlementTooExpensive} if no fee keeps the call within the bound. */
  lower(fees: Fees, call: PricedCall): Fees
  isExceeded(fees: Fees, call: PricedCall): boolean
  /** Maximum wei that a call may cost, replacements included: the bound, or the signed cost if no bound is set. */
  worstOf(fees: Fees, call: PricedCall): bigint
  /** The ordinary call that was too expensive, until one of as much gas is not; null: sales are not paused. */
  refused(): Pick<PricedCall, 'call' | 'gas'> | null
}

/** Keeps the cost of a settlement, data fee included, within `maxCost` wei; undefined: no bound. */
export function createCostBound(maxCost: bigint | undefined): CostBound {
  let refused: ReturnType<CostBound['refused']> = null
  const refuse = (priced: PricedCall) => {
    if (!isOrdinary(priced)) return
    const { call, gas } = priced
    // Giving a nonce up takes little gas: where that is refused, a usual sale is as well.
    refused = { call, gas: gas > USUAL_SETTLEMENT_GAS ? gas : USUAL_SETTLEMENT_GAS }
  }
  return {
    lower(fees, priced) {
      if (maxCost === undefined) return fees
      const ceiling = ceilingOf(maxCost, priced)
      if (presentPrice(fees) > ceiling) {
        refuse(priced)
        throw new SettlementTooExpensive('a settlement costs more than SETTLEMENT_MAX_COST_USD')
      }
      if (priced.gas >= (refused?.gas ?? 0n)) refused = null
      // The tip is part of the present price, so it is within the ceiling.
      return { ...fees, maxFeePerGas: fees.maxFeePerGas < ceiling ? fees.maxFeePerGas : ceiling }
    },
    isExceeded(fees, priced) {
      const isExceeded = maxCost !== undefined && fees.maxFeePerGas > ceilingOf(maxCost, priced)
      if (isExceeded) refuse(priced)
      return isExceeded
    },
    worstOf({ maxFeePerGas }, priced) {
      const signed = priced.gas * maxFeePerGas + (priced.dataFee ?? 0n)
      const allowed = maxCost === undefined ? 0n : allowedFor(maxCost, priced)
      return signed > allowed ? signed : allowed
    },
    refused: () => refused,
  }
}

/** Others, as of a contract wallet, take more gas than a sale: their cost pauses no sales. Less gas ends no pause. */
const isOrdinary = ({ call, gas }: PricedCall) => gas <= SINGLE_SETTLEMENT_GAS * BigInt(countOf(call))

/** The most wei for a unit of gas, after the data fee. */
function ceilingOf(maxCost: bigint, priced: PricedCall): bigint {
  const { gas, dataFee = 0n } = priced
  const allowed = allowedFor(maxCost, priced)
  return allowed > dataFee ? (allowed - dataFee) / gas : 0n
}

/**
 * Maximum wei for a call. A batch may cost as much as its settlements would alone. An act of payment channels pays for many
 * calls, so a large one may cost more, in proportion to its gas; otherwise one claim would pause all sales.
 */
function allowedFor(maxCost: bigint, { call, gas }: PricedCall): bigint {
  const isLargeAct =
    call.to !== null && isAddressEqual(call.to, BATCH_SETTLEMENT_ADDRESS) && gas > SINGLE_SETTLEMENT_GAS
  return isLargeAct ? (maxCost * gas) / SINGLE_SETTLEMENT_GAS : maxCost * BigInt(countOf(call))
}

/** Wei per unit of gas at present: the estimated `maxFeePerGas` allows for the base fee to rise by a fifth. */
export const presentPrice = ({ maxFeePerGas, maxPriorityFeePerGas }: Fees): bigint =>
  ((maxFeePerGas - maxPriorityFeePerGas) * 10n) / 12n + maxPriorityFeePerGas
