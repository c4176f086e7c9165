import { InMemoryPendingSettlementStore, x402Facilitator } from '@x402/core/facilitator'
import type { FacilitatorClient } from '@x402/core/server'
import type { PaymentPayload, SupportedResponse } from '@x402/core/types'
import { BATCH_SETTLEMENT_SCHEME } from '@x402/evm'
import { BatchSettlementEvmScheme } from '@x402/evm/batch-settlement/facilitator'
import type { Hex } from 'viem'
import { type ChainSession, holdsCode, throwOutage } from './chain-session.ts'
import type { OwnFacilitatorOptions } from './exact-facilitator.ts'

/**
 * Serves the deposits, claims, refunds and sweeps of payment channels. Resolves and rejects as `createExactFacilitator`
 * does.
 */
export function createChannelFacilitator({
  network,
  token,
  openSession,
  contractWallets,
}: OwnFacilitatorOptions): FacilitatorClient {
  const pendingSettlementStore = new InMemoryPendingSettlementStore()
  const over = (session: ChainSession) =>
    new x402Facilitator().register(
      network,
      new BatchSettlementEvmScheme(session.signer, undefined, { pendingSettlementStore }),
    )
  const isOurs = (asset: string) => asset.toLowerCase() === token.toLowerCase()
  return {
    verify: async (payload, requirements) => {
      if (!isOurs(requirements.asset))
        return { isValid: false, invalidReason: 'invalid_payment_requirements' }
      const session = openSession()
      const { invalidMessage: _, ...rest } = await over(session).verify(payload, requirements)
      if (!rest.isValid) throwOutage(session)
      return rest
    },
    settle: async (payload, requirements) => {
      const refusal = {
        success: false,
        errorReason: 'invalid_payment_requirements',
        transaction: '',
        network,
      } as const
      if (!isOurs(requirements.asset)) return refusal
      if (contractWallets === 'refuse' && (await isFromContract(openSession(), payload)))
        return { ...refusal, errorReason: NO_WALLET }
      const session = openSession(payload)
      // The message is left out: it is the node's text, with the whole call and its signatures.
      const { errorMessage: _, ...outcome } = await over(session).settle(payload, requirements)
      if (!outcome.success && !session.hasSent()) throwOutage(session)
      return { ...outcome, transaction: session.minedAs() ?? outcome.transaction }
    },
    getSupported: async () => over(openSession()).getSupported() as SupportedResponse,
  }
}

export function withChannels(exact: FacilitatorClient, channels: FacilitatorClient): FacilitatorClient {
  const of = ({ scheme }: { readonly scheme: string }) =>
    scheme === BATCH_SETTLEMENT_SCHEME ? channels : exact
  return {
    verify: (payload: PaymentPayload, requirements) => of(requirements).verify(payload, requirements),
    settle: (payload: PaymentPayload, requirements) => of(requirements).settle(payload, requirements),
    getSupported: async () => {
      const [one, other] = await Promise.all([exact.getSupported(), channels.getSupported()])
      return { ...one, kinds: [...one.kinds, ...other.kinds] }
    },
  }
}

/** The reason for refusing a payer with code, whose code would run at our cost; the scheme has none for that. */
const NO_WALLET = 'invalid_batch_settlement_evm_receive_authorization_signature'

async function isFromContract(session: ChainSession, { payload }: PaymentPayload): Promise<boolean> {
  const { type, channelConfig } = payload as { type?: unknown; channelConfig?: { payer?: unknown } }
  if (type !== 'deposit' || typeof channelConfig?.payer !== 'string') return false
  return holdsCode(session, channelConfig.payer as Hex)
}
