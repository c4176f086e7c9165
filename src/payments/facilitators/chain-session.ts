import type { FacilitatorEvmSigner } from '@x402/evm'
import { BaseError, type Hex } from 'viem'
import { askChain, ChainUnavailable } from '../chain/chain-reader.ts'
import { FacilitatorFault } from './facilitator-fault.ts'

export interface ChainSession {
  readonly signer: FacilitatorEvmSigner
  /** The first failure to reach the chain; undefined if there was none. */
  outage(): unknown
  /** Whether a transaction was signed and may have been sent. */
  hasSent(): boolean
  /** Hash under which it was mined, if known: a replacement has another hash than the first transaction. */
  minedAs(): Hex | undefined
}

/**
 * Throws `ChainUnavailable` if the session failed to reach the chain, and `FacilitatorFault` if this process would not
 * send; the packages report both as a refusal.
 */
export function throwOutage(session: ChainSession): void {
  const cause = session.outage()
  if (cause instanceof BaseError || cause instanceof ChainUnavailable)
    throw new ChainUnavailable('the chain could not be reached', { cause })
  if (cause !== undefined) throw new FacilitatorFault('not_sent', 'the settlement was not sent', { cause })
}

/** Whether an address holds code; rejects with `ChainUnavailable`. */
export const holdsCode = ({ signer }: ChainSession, address: Hex): Promise<boolean> =>
  askChain(async () => {
    const code = await signer.getCode({ address })
    return code !== undefined && code !== '0x'
  })
