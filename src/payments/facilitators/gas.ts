import type { PublicClient } from 'viem'
import type { Hex } from '../chain/chain-reader.ts'

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

/** Gas to offer for a call, a fifth above the node's estimate; throws above the limit, and when it would revert. */
export async function estimateGas(
  client: PublicClient,
  sender: Hex,
  call: Call,
  limit: bigint,
): Promise<bigint> {
  const gas = await client.estimateGas({ account: sender, ...call })
  if (gas > limit) throw new Error(`settlement would need ${gas} gas, more than the ${limit} allowed`)
  // The storage it touches may change until it is mined.
  return (gas * 12n) / 10n
}

/** Fees for a replacement: the present ones, but at least a quarter up, since nodes want a tenth on both. */
export function raiseFees(old: Fees, current: Fees): Fees {
  return {
    maxFeePerGas: atLeast(old.maxFeePerGas, current.maxFeePerGas),
    maxPriorityFeePerGas: atLeast(old.maxPriorityFeePerGas, current.maxPriorityFeePerGas),
  }
}

function atLeast(old: bigint, current: bigint): bigint {
  const raised = (old * 5n) / 4n + 1n
  return raised > current ? raised : current
}
