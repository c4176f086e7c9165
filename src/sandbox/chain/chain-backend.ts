import type { FacilitatorClient } from '@x402/core/server'
import type { ChainReader, Hex } from '../../payments/chain/chain-reader.ts'

/** A local chain with everything on it, whatever it is made of. */
export interface ChainBackend {
  readonly kind: 'anvil' | 'memory'
  /** See `Sandbox.chainName`. */
  readonly name: string
  readonly rpcUrl: string | null
  readonly chainReader: ChainReader
  readonly facilitator: FacilitatorClient
  fund(address: Hex, amount: bigint): Promise<void>
  stop(): Promise<void>
}
