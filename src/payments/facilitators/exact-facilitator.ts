import { InMemoryPendingSettlementStore, x402Facilitator } from '@x402/core/facilitator'
import type { FacilitatorClient } from '@x402/core/server'
import type { Network, PaymentPayload, PaymentRequirements, SupportedResponse } from '@x402/core/types'
import type { FacilitatorEvmSigner } from '@x402/evm'
import { ExactEvmScheme } from '@x402/evm/exact/facilitator'
import { ChainUnavailable, type Hex } from '../chain/chain-reader.ts'

/** What one verify or settle may use of the chain, and what it noticed while doing so. */
export interface ChainSession {
  readonly signer: FacilitatorEvmSigner
  /** The first failure to reach the chain, if there was one. */
  outage(): unknown
  /** Whether a transaction was signed and may have been sent. */
  hasSent(): boolean
  /** Hash under which it was mined, when that is known: a replacement has another than was first signed. */
  minedAs(): Hex | undefined
}

export interface ExactFacilitatorOptions {
  readonly network: Network
  /** The one token that is settled. */
  readonly token: Hex
  readonly openSession: () => ChainSession
}

/**
 * An x402 version 2 facilitator for `exact` EIP-3009 payments in one token, over any chain.
 *
 * `verify` and `settle` resolve with the protocol's own answers. They reject with `ChainUnavailable` when the
 * chain could not be reached and nothing was sent; the packages alone would call that an invalid signature.
 * When something was signed, an unknown end is `settlement_pending` with the transaction's hash.
 */
export function createExactFacilitator(options: ExactFacilitatorOptions): FacilitatorClient {
  const pendingSettlementStore = new InMemoryPendingSettlementStore()
  const inFlight = new Set<string>()

  const over = (session: ChainSession) =>
    new x402Facilitator().register(
      options.network,
      new ExactEvmScheme(session.signer, { pendingSettlementStore }),
    )

  const settleOnce = async (payload: PaymentPayload, requirements: PaymentRequirements) => {
    const session = options.openSession()
    const outcome = await over(session).settle(payload, requirements)
    if (!outcome.success && !session.hasSent()) throwOutage(session)
    // The packages' message is the node's text with the whole call in it, signature included.
    const { errorMessage: _, ...rest } = outcome
    return { ...rest, transaction: session.minedAs() ?? rest.transaction }
  }

  return {
    verify: async (payload, requirements) => {
      const fault = faultOf(payload, requirements, options)
      if (fault !== undefined) return { isValid: false, invalidReason: fault }
      const session = options.openSession()
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
      // A second copy would be mined too, revert, and cost gas.
      const key = authorizationKey(payload)
      if (inFlight.has(key)) return refuse('duplicate_settlement')
      inFlight.add(key)
      try {
        return await settleOnce(payload, requirements)
      } finally {
        inFlight.delete(key)
      }
    },

    getSupported: async () => over(options.openSession()).getSupported() as SupportedResponse,
  }
}

function throwOutage(session: ChainSession): void {
  const cause = session.outage()
  if (cause !== undefined) throw new ChainUnavailable('the chain could not be reached', { cause })
}

interface Authorization {
  readonly from: string
  readonly nonce: string
}

/** Reasons to refuse before the packages look at it: they would throw, or settle what is not ours to settle. */
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

const ADDRESS = /^0x[0-9a-fA-F]{40}$/
const HEX = /^0x(?:[0-9a-fA-F]{2})+$/
const WORD = /^0x[0-9a-fA-F]{64}$/
const UINT = /^[0-9]{1,78}$/

function isAuthorizationPayload(payload: Record<string, unknown>): boolean {
  const { authorization, signature } = payload
  if (typeof authorization !== 'object' || authorization === null) return false
  const field = (name: string) => String((authorization as Record<string, unknown>)[name])
  return (
    HEX.test(String(signature)) &&
    ['from', 'to'].every((name) => ADDRESS.test(field(name))) &&
    ['value', 'validAfter', 'validBefore'].every((name) => UINT.test(field(name))) &&
    WORD.test(field('nonce'))
  )
}

function authorizationKey(payload: PaymentPayload): string {
  const { from, nonce } = (payload.payload as { authorization: Authorization }).authorization
  return `${from}:${nonce}`.toLowerCase()
}
