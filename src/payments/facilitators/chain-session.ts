import type { FacilitatorEvmSigner } from '@x402/evm'
import { BaseError, type Hex } from 'viem'
import { askNode, ChainUnavailable } from '../chain/chain-reader.ts'
import { FacilitatorFault } from './facilitator-fault.ts'

export interface ChainSession {
  readonly signer: FacilitatorEvmSigner
  outage(): unknown
  hasSent(): boolean
  /** The hash under which it was mined, if known; a replacement has another hash than what it replaces. */
  minedAs(): Hex | undefined
}

/**
 * Throws what the packages report as a refusal: `ChainUnavailable` if the chain could not be reached, `FacilitatorFault`
 * if this process would not send.
 */
export function throwOutage(session: ChainSession): void {
  const cause = session.outage()
  if (cause instanceof BaseError || cause instanceof ChainUnavailable)
    throw new ChainUnavailable('the chain could not be reached', { cause })
  if (cause !== undefined) throw new FacilitatorFault('not_sent', 'the settlement was not sent', { cause })
}

/** Rejects with `ChainUnavailable`. */
export const holdsCode = ({ signer }: ChainSession, address: Hex): Promise<boolean> =>
  askNode(async () => {
    const code = await signer.getCode({ address })
    return code !== undefined && code !== '0x'
  })
