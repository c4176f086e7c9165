import type { FacilitatorClient } from '@x402/core/server'
import { type Symptom, symptomOf } from '../../payments/facilitators/facilitator-fault.ts'
import type { Network } from '../../payments/networks/network.ts'

/** Whether the facilitator settles a scheme of x402 version 2 on our network. */
export type FacilitatorSupport = 'supported' | 'unsupported' | 'no_answer'

export interface SupportAnswer {
  readonly support: FacilitatorSupport
  /** For the log: why there is no answer; empty if there is one. */
  readonly symptom: Symptom
}

/** Never rejects. */
export async function askSupport(
  facilitator: FacilitatorClient,
  { id }: Network,
  scheme = 'exact',
): Promise<SupportAnswer> {
  try {
    const { kinds } = await facilitator.getSupported()
    const ours = kinds.some((kind) => kind.x402Version === 2 && kind.scheme === scheme && kind.network === id)
    return { support: ours ? 'supported' : 'unsupported', symptom: {} }
  } catch (error) {
    return { support: 'no_answer', symptom: symptomOf(error) }
  }
}
