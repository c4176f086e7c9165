import type { FacilitatorClient } from '@x402/core/server'
import type { PaymentPayload, SettleResponse } from '@x402/core/types'
import type { Hex } from 'viem'
import { ChainUnavailable } from '../../payments/chain/chain-reader.ts'
import { isWithoutTransaction } from '../../payments/chain/transaction-hash.ts'
import { judgeFault, judgeSettlement, type SettleOutcome } from '../../payments/sale/table/settle-outcome.ts'

export type OnSettlement = (outcome: SettleOutcome['kind'], ms: number) => void

export function observeFacilitator(
  facilitator: FacilitatorClient,
  onSettlement: OnSettlement,
): FacilitatorClient {
  return {
    verify: (payload, requirements) => facilitator.verify(payload, requirements),
    getSupported: () => facilitator.getSupported(),
    async settle(payload, requirements) {
      const begun = performance.now()
      try {
        const reply = await facilitator.settle(payload, requirements)
        const kind =
          requirements.scheme === 'exact'
            ? judgeSettlement(reply, requirements, payerOf(payload)).kind
            : kindOfAct(reply)
        onSettlement(kind, performance.now() - begun)
        return reply
      } catch (error) {
        // This process's own node did not answer, which is no failure of the facilitator.
        if (!(error instanceof ChainUnavailable))
          onSettlement(judgeFault(error).kind, performance.now() - begun)
        throw error
      }
    },
  }
}

const kindOfAct = ({ success, transaction }: SettleResponse): SettleOutcome['kind'] =>
  success === true ? 'settled' : isWithoutTransaction(transaction) ? 'refused' : 'doubtful'

/** The payload is built by this service, so it has an authorization. */
const payerOf = ({ payload }: PaymentPayload) =>
  (payload as { authorization: { from: Hex } }).authorization.from
