import type { FacilitatorClient } from '@x402/core/server'
import type { Hex } from 'viem'
import type { ChainReader } from '../../payments/chain/chain-reader.ts'

export interface ChainBackend {
  readonly name: string
  readonly rpcUrl: string
  readonly chainReader: ChainReader
  readonly facilitator: FacilitatorClient
  /** Mints atomic units of the token to an account; returns once they are there. */
  fund(address: Hex, amount: bigint): Promise<void>
  /** Sends a call from a throw-away account; returns once it is mined. */
  transact(to: Hex, data: Hex): Promise<Hex>
  stop(): Promise<void>
}
