import type { FacilitatorClient } from '@x402/core/server'
import { type Symptom, symptomOf } from '../../payments/facilitators/facilitator-fault.ts'
import type { Network } from '../../payments/networks/network.ts'

export type FacilitatorSupport = 'supported' | 'unsupported' | 'no_answer'

export interface SupportAnswer {
  readonly support: FacilitatorSupport
  /** Empty if there is an answer. */
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
