import type { FacilitatorClient } from '@x402/core/server'
import { NETWORK } from '../../payments/terms/terms.ts'

/** Whether the facilitator settles our kind of payment: x402 version 2, exact, on our network. */
export type FacilitatorSupport = 'supported' | 'unsupported' | 'no_answer'

/** Asks a facilitator whether it settles our kind; never rejects. */
export async function askSupport(facilitator: FacilitatorClient): Promise<FacilitatorSupport> {
  try {
    const { kinds } = await facilitator.getSupported()
    const ours = kinds.some(
      (kind) => kind.x402Version === 2 && kind.scheme === 'exact' && kind.network === NETWORK,
    )
    return ours ? 'supported' : 'unsupported'
  } catch {
    return 'no_answer'
  }
}
