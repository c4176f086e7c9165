import type { Hex, PublicClient } from 'viem'

/** Prices of EIP-1559, in wei per unit of gas. */
export interface Fees {
  readonly maxFeePerGas: bigint
  readonly maxPriorityFeePerGas: bigint
}

/** A contract call before it is a transaction. */
export interface Call {
  readonly to: Hex
  readonly data: Hex
}

/** The settlement costs more than the operator allows; nothing was sent. */
export class SettlementTooExpensive extends Error {
  override readonly name = 'SettlementTooExpensive'
}

/**
 * Returns the gas to offer for a call, a fifth above the node's estimate, since the storage it touches may change.
 *
 * Estimated at the price that will be paid: a wallet contract could be cheap only while gas is free, as it is in a
 * plain simulation. Throws if the call needs more than `limit`, or would revert.
 */
export async function estimateGas(
  client: PublicClient,
  sender: Hex,
  call: Call,
  fees: Fees,
  limit: bigint,
): Promise<bigint> {
  const gas = await client.estimateGas({ account: sender, ...call, ...fees })
  if (gas > limit) throw new Error(`settlement would need ${gas} gas, more than the ${limit} allowed`)
  return (gas * 12n) / 10n
}

/** Bounds fees so that `gas` never costs more than `maxCost` wei; throws {@link SettlementTooExpensive} if it would now. */
export function boundFees(fees: Fees, gas: bigint, maxCost: bigint | undefined): Fees {
  if (maxCost === undefined) return fees
  const ceiling = maxCost / gas
  // The estimate allows for the base fee to rise by a fifth; what it is now decides.
  const present = ((fees.maxFeePerGas - fees.maxPriorityFeePerGas) * 10n) / 12n + fees.maxPriorityFeePerGas
  if (present > ceiling)
    throw new SettlementTooExpensive('a settlement costs more than SETTLEMENT_MAX_COST_USD')
  return {
    maxFeePerGas: min(fees.maxFeePerGas, ceiling),
    maxPriorityFeePerGas: min(fees.maxPriorityFeePerGas, ceiling),
  }
}

/** Fees for a replacement: the present ones, but at least a quarter up, since nodes require a tenth on both. */
export function raiseFees(old: Fees, current: Fees): Fees {
  return {
    maxFeePerGas: raised(old.maxFeePerGas, current.maxFeePerGas),
    maxPriorityFeePerGas: raised(old.maxPriorityFeePerGas, current.maxPriorityFeePerGas),
  }
}

function raised(old: bigint, current: bigint): bigint {
  const least = (old * 5n) / 4n + 1n
  return least > current ? least : current
}

const min = (a: bigint, b: bigint) => (a < b ? a : b)
