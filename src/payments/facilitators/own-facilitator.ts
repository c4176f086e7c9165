import { InMemoryPendingSettlementStore, x402Facilitator } from '@x402/core/facilitator'
import type { FacilitatorClient } from '@x402/core/server'
import type { Network, PaymentPayload, PaymentRequirements, SupportedResponse } from '@x402/core/types'
import { BATCH_SETTLEMENT_SCHEME } from '@x402/evm'
import { BatchSettlementEvmScheme } from '@x402/evm/batch-settlement/facilitator'
import { ExactEvmScheme } from '@x402/evm/exact/facilitator'
import type { Hex } from 'viem'
import { boundedCache } from '../../caches/bounded-cache.ts'
import { type ChainSession, holdsCode, throwOutage } from './chain-session.ts'

export interface OwnFacilitatorOptions {
  readonly network: Network
  readonly token: Hex
  /** `payload` is the payment to settle; absent for anything else. */
  readonly openSession: (payload?: PaymentPayload) => ChainSession
  /** Whether payers whose address holds code are served, which lets that code run at our cost. */
  readonly contractWallets: 'accept' | 'refuse'
  /** False by default. */
  readonly channels?: boolean | undefined
}

/**
 * For `exact` EIP-3009 payments and payment channels in one token. Payments must be parsed already. Rejects with
 * `ChainUnavailable` if nothing was sent. Once a transaction was signed, an unknown outcome is `settlement_pending`
 * with its hash.
 */
export function createOwnFacilitator({
  network,
  token,
  openSession,
  contractWallets,
  channels = false,
}: OwnFacilitatorOptions): FacilitatorClient {
  const pendingPayments = new InMemoryPendingSettlementStore()
  const pendingActs = new InMemoryPendingSettlementStore()
  const inFlight = new Set<string>()
  const reverted = boundedCache<true>(MOST_REVERTED)

  const over = ({ signer }: ChainSession) => {
    const exact = new ExactEvmScheme(signer, { pendingSettlementStore: pendingPayments })
    const facilitator = new x402Facilitator().register(network, exact)
    if (!channels) return facilitator
    const acts = new BatchSettlementEvmScheme(signer, undefined, { pendingSettlementStore: pendingActs })
    return facilitator.register(network, acts)
  }
  const isOurs = ({ asset }: PaymentRequirements) => asset.toLowerCase() === token.toLowerCase()
  const refuse = (errorReason: string) => ({ success: false, errorReason, transaction: '', network }) as const

  /** The reason for refusing a payer with code; undefined for any other. */
  const refusalOf = async (payload: PaymentPayload, requirements: PaymentRequirements) => {
    const { payer, reason } = walletOf(payload, requirements)
    const mayBeRefused = contractWallets === 'refuse' && payer !== undefined
    return mayBeRefused && (await holdsCode(openSession(), payer)) ? reason : undefined
  }

  const settle = async (
    payload: PaymentPayload,
    requirements: PaymentRequirements,
    onReverted: () => void = () => {},
  ) => {
    const refusal = await refusalOf(payload, requirements)
    if (refusal !== undefined) return refuse(refusal)
    const session = openSession(payload)
    // The message is left out: it is the node's text, with the whole call and its signatures.
    const { errorMessage: _, ...outcome } = await over(session).settle(payload, requirements)
    const minedAs = session.minedAs()
    if (!outcome.success && !session.hasSent()) throwOutage(session)
    if (!outcome.success && minedAs !== undefined) onReverted()
    return { ...outcome, transaction: minedAs ?? outcome.transaction }
  }

  return {
    verify: async (payload, requirements) => {
      if (!isOurs(requirements)) return { isValid: false, invalidReason: OTHER_TOKEN }
      const refusal = await refusalOf(payload, requirements)
      if (refusal !== undefined) return { isValid: false, invalidReason: refusal }
      const session = openSession()
      const { invalidMessage: _, ...outcome } = await over(session).verify(payload, requirements)
      if (!outcome.isValid) throwOutage(session)
      return outcome
    },

    settle: async (payload, requirements) => {
      if (!isOurs(requirements)) return refuse(OTHER_TOKEN)
      if (requirements.scheme === BATCH_SETTLEMENT_SCHEME) return settle(payload, requirements)
      const { from, nonce } = authorizationOf(payload)
      const key = `${from}:${nonce}`.toLowerCase()
      // A second transaction for it, also after one that reverted, would revert and cost gas.
      if (inFlight.has(key) || reverted.has(key)) return refuse('duplicate_settlement')
      inFlight.add(key)
      try {
        return await settle(payload, requirements, () => reverted.set(key, true))
      } finally {
        inFlight.delete(key)
      }
    },

    getSupported: async () => over(openSession()).getSupported() as SupportedResponse,
  }
}

const OTHER_TOKEN = 'invalid_payment_requirements'
const MOST_REVERTED = 10_000

const authorizationOf = ({ payload }: PaymentPayload) =>
  (payload as { readonly authorization: { readonly from: Hex; readonly nonce: Hex } }).authorization

/**
 * The payer whose code a payment would run; no act of a channel but a deposit runs any. The protocol has no reason for
 * refusing it.
 */
function walletOf(payment: PaymentPayload, { scheme }: PaymentRequirements) {
  if (scheme !== BATCH_SETTLEMENT_SCHEME)
    return { payer: authorizationOf(payment).from, reason: 'invalid_exact_evm_payload_signature' }
  const { type, channelConfig } = payment.payload as { type?: unknown; channelConfig?: { payer?: unknown } }
  const isDeposit = type === 'deposit' && typeof channelConfig?.payer === 'string'
  return {
    payer: isDeposit ? (channelConfig.payer as Hex) : undefined,
    reason: 'invalid_batch_settlement_evm_receive_authorization_signature',
  }
}
