import { InMemoryPendingSettlementStore, x402Facilitator } from '@x402/core/facilitator'
import type { FacilitatorClient } from '@x402/core/server'
import type { Network, PaymentPayload, PaymentRequirements, SupportedResponse } from '@x402/core/types'
import { ExactEvmScheme } from '@x402/evm/exact/facilitator'
import type { Hex } from 'viem'
import { boundedCache } from '../../bounded-cache.ts'
import { type ChainSession, holdsCode, throwOutage } from './chain-session.ts'

export interface OwnFacilitatorOptions {
  readonly network: Network
  readonly token: Hex
  /** `payload` is the payment to settle; absent for anything else. */
  readonly openSession: (payload?: PaymentPayload) => ChainSession
  /** Whether payers whose address holds code are served, which lets that code run at our cost. */
  readonly contractWallets: 'accept' | 'refuse'
}

/**
 * An x402 version 2 facilitator for `exact` EIP-3009 payments in one token. Payments must be parsed already.
 *
 * `verify` and `settle` resolve with the protocol's answers. They reject with `ChainUnavailable` if the chain could not
 * be reached and nothing was sent. Once a transaction was signed, an unknown outcome is `settlement_pending` with its hash.
 */
export function createExactFacilitator({
  network,
  token,
  openSession,
  contractWallets,
}: OwnFacilitatorOptions): FacilitatorClient {
  const pendingSettlementStore = new InMemoryPendingSettlementStore()
  const inFlight = new Set<string>()
  const reverted = boundedCache<true>(MOST_REVERTED)

  const isOurs = ({ asset }: PaymentRequirements) => asset.toLowerCase() === token.toLowerCase()
  const isRefused = async (payer: Hex, session: ChainSession) =>
    contractWallets === 'refuse' && (await holdsCode(session, payer))
  const over = (session: ChainSession) =>
    new x402Facilitator().register(network, new ExactEvmScheme(session.signer, { pendingSettlementStore }))

  return {
    verify: async (payload, requirements) => {
      if (!isOurs(requirements)) return { isValid: false, invalidReason: OTHER_TOKEN }
      const session = openSession()
      if (await isRefused(authorizationOf(payload).from, session))
        return { isValid: false, invalidReason: NO_WALLET }
      const { invalidMessage: _, ...outcome } = await over(session).verify(payload, requirements)
      if (!outcome.isValid) throwOutage(session)
      return outcome
    },

    settle: async (payload, requirements) => {
      const refuse = (errorReason: string) =>
        ({ success: false, errorReason, transaction: '', network }) as const
      if (!isOurs(requirements)) return refuse(OTHER_TOKEN)
      const { from, nonce } = authorizationOf(payload)
      const key = `${from}:${nonce}`.toLowerCase()
      // A second transaction for it, also after one that reverted, would revert and cost gas.
      if (inFlight.has(key) || reverted.has(key)) return refuse('duplicate_settlement')
      inFlight.add(key)
      try {
        if (await isRefused(from, openSession())) return refuse(NO_WALLET)
        const session = openSession(payload)
        // The message is left out: it is the node's text, with the whole call and its signature.
        const { errorMessage: _, ...outcome } = await over(session).settle(payload, requirements)
        const minedAs = session.minedAs()
        if (!outcome.success && !session.hasSent()) throwOutage(session)
        if (!outcome.success && minedAs !== undefined) reverted.set(key, true)
        return { ...outcome, transaction: minedAs ?? outcome.transaction }
      } finally {
        inFlight.delete(key)
      }
    },

    getSupported: async () => over(openSession()).getSupported() as SupportedResponse,
  }
}

/** The reason for refusing a payer with code; the protocol has none for that. */
const NO_WALLET = 'invalid_exact_evm_payload_signature'
const OTHER_TOKEN = 'invalid_payment_requirements'
const MOST_REVERTED = 10_000

const authorizationOf = ({ payload }: PaymentPayload) =>
  (payload as { readonly authorization: { readonly from: Hex; readonly nonce: Hex } }).authorization
