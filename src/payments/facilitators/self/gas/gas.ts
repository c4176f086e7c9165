import type { Hex, PublicClient } from 'viem'
import type { TransactionCall } from '../../../chain/contract-call.ts'
import type { Fees } from '../transaction/settlement-transaction.ts'

/** A fifth more than estimated: the storage that a call touches may change until it is mined. */
const withMargin = (gas: bigint) => (gas * 12n) / 10n

/** What a settlement alone takes once the payee has money. */
export const USUAL_GAS = 69_000n
/** What is offered for it. */
export const USUAL_SETTLEMENT_GAS = withMargin(USUAL_GAS)
/** The most gas of one settlement; the first transfer to a payee takes 86,000. */
export const SETTLEMENT_GAS = 100_000n
export const SINGLE_SETTLEMENT_GAS = withMargin(SETTLEMENT_GAS)

/**
 * Returns the node's estimate for a call, with a margin. Throws if the call needs more than `limit`, or would revert.
 *
 * Estimated with the fees that will be paid: a wallet contract could be cheap only while gas is free, as in a plain
 * simulation.
 */
export async function estimateGas(
  client: PublicClient,
  sender: Hex,
  call: TransactionCall,
  fees: Partial<Fees>,
  limit: bigint,
): Promise<bigint> {
  const gas = await client.estimateGas({ account: sender, ...call, ...fees })
  if (gas > limit) throw new Error(`settlement would need ${gas} gas, more than the ${limit} allowed`)
  return withMargin(gas)
}

/** The present fees, but at least a quarter above the old; nodes require a tenth more on both. */
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
