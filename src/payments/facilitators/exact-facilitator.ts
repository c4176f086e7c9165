import { InMemoryPendingSettlementStore, x402Facilitator } from '@x402/core/facilitator'
import type { FacilitatorClient } from '@x402/core/server'
import type { Network, PaymentPayload, PaymentRequirements, SupportedResponse } from '@x402/core/types'
import { ExactEvmScheme } from '@x402/evm/exact/facilitator'
import type { Hex } from 'viem'
import { boundedCache } from '../../bounded-cache.ts'
import { ADDRESS, BYTES, WORD } from '../../hex.ts'
import { type ChainSession, holdsCode, throwOutage } from './chain-session.ts'

export interface ExactFacilitatorOptions {
  readonly network: Network
  readonly token: Hex
  /** `payload` is the payment to settle; absent for anything else. */
  readonly openSession: (payload?: PaymentPayload) => ChainSession
  /**
   * Whether payers whose address holds code are served, which lets that code run at our cost; `accept` by default.
   */
  readonly contractWallets?: 'accept' | 'refuse'
}

/**
 * An x402 version 2 facilitator for `exact` EIP-3009 payments in one token, over any chain.
 *
 * `verify` and `settle` resolve with the protocol's own answers. They reject with `ChainUnavailable` if the chain could
 * not be reached and nothing was sent; the packages alone would report that as an invalid signature. If something was
 * signed, an unknown outcome is `settlement_pending` with the transaction's hash.
 */
export function createExactFacilitator(options: ExactFacilitatorOptions): FacilitatorClient {
  const pendingSettlementStore = new InMemoryPendingSettlementStore()
  const inFlight = new Set<string>()
  const reverted = boundedCache<true>(MOST_REVERTED)

  const over = (session: ChainSession) =>
    new x402Facilitator().register(
      options.network,
      new ExactEvmScheme(session.signer, { pendingSettlementStore }),
    )

  const settleOnce = async (payload: PaymentPayload, requirements: PaymentRequirements) => {
    const session = options.openSession(payload)
    const outcome = await over(session).settle(payload, requirements)
    if (!outcome.success && !session.hasSent()) throwOutage(session)
    if (!outcome.success && session.minedAs() !== undefined) reverted.set(authorizationKey(payload), true)
    // The packages' message is the node's text, which holds the whole call and its signature.
    const { errorMessage: _, ...rest } = outcome
    return { ...rest, transaction: session.minedAs() ?? rest.transaction }
  }

  return {
    verify: async (payload, requirements) => {
      const fault = faultOf(payload, requirements, options)
      if (fault !== undefined) return { isValid: false, invalidReason: fault }
      const session = options.openSession()
      if (await isRefusedPayer(session, payload, options)) return { isValid: false, invalidReason: NO_WALLET }
      const outcome = await over(session).verify(payload, requirements)
      if (!outcome.isValid) throwOutage(session)
      const { invalidMessage: _, ...rest } = outcome
      return rest
    },

    settle: async (payload, requirements) => {
      const refuse = (errorReason: string) =>
        ({ success: false, errorReason, transaction: '', network: options.network }) as const
      const fault = faultOf(payload, requirements, options)
      if (fault !== undefined) return refuse(fault)
      // A second copy, or a second try of one that reverted, would be mined too, revert, and cost gas.
      const key = authorizationKey(payload)
      if (inFlight.has(key) || reverted.has(key)) return refuse('duplicate_settlement')
      inFlight.add(key)
      try {
        if (await isRefusedPayer(options.openSession(), payload, options)) return refuse(NO_WALLET)
        return await settleOnce(payload, requirements)
      } finally {
        inFlight.delete(key)
      }
    },

    getSupported: async () => over(options.openSession()).getSupported() as SupportedResponse,
  }
}

/** The definite refusal for a payer with code; the protocol has no reason of its own for it. */
const NO_WALLET = 'invalid_exact_evm_payload_signature'
const MOST_REVERTED = 10_000

async function isRefusedPayer(
  session: ChainSession,
  payload: PaymentPayload,
  { contractWallets = 'accept' }: ExactFacilitatorOptions,
): Promise<boolean> {
  if (contractWallets === 'accept') return false
  return holdsCode(session, (payload.payload as { authorization: Authorization }).authorization.from as Hex)
}

interface Authorization {
  readonly from: string
  readonly nonce: string
}

/** Reasons to refuse before the packages see it: they would throw, or settle what is not ours to settle. */
function faultOf(
  payload: PaymentPayload,
  requirements: PaymentRequirements,
  { network, token }: ExactFacilitatorOptions,
): string | undefined {
  if (payload.x402Version !== 2) return 'invalid_x402_version'
  if (requirements.scheme !== 'exact') return 'unsupported_scheme'
  if (requirements.network !== network) return 'invalid_network'
  if (requirements.asset.toLowerCase() !== token.toLowerCase()) return 'invalid_payment_requirements'
  if (!ADDRESS.test(requirements.payTo) || !UINT.test(requirements.amount))
    return 'invalid_payment_requirements'
  if (typeof payload.accepted !== 'object' || payload.accepted === null) return 'invalid_payload'
  return isAuthorizationPayload(payload.payload) ? undefined : 'invalid_payload'
}

const UINT = /^[0-9]{1,78}$/

function isAuthorizationPayload(payload: Record<string, unknown>): boolean {
  const { authorization, signature } = payload
  if (typeof authorization !== 'object' || authorization === null) return false
  const field = (name: string) => String((authorization as Record<string, unknown>)[name])
  return (
    BYTES.test(String(signature)) &&
    ['from', 'to'].every((name) => ADDRESS.test(field(name))) &&
    ['value', 'validAfter', 'validBefore'].every((name) => UINT.test(field(name))) &&
    WORD.test(field('nonce'))
  )
}

function authorizationKey(payload: PaymentPayload): string {
  const { from, nonce } = (payload.payload as { authorization: Authorization }).authorization
  return `${from}:${nonce}`.toLowerCase()
}
