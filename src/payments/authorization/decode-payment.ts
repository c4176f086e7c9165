import { PaymentPayloadV2Schema } from '@x402/core/schemas'
import type { Hex } from '../chain/chain-reader.ts'
import type { Proof, UnpaidCode } from '../sale.ts'
import { NETWORK, type Token } from '../terms/terms.ts'
import { parseSignedAuthorization, type SignedAuthorization } from './authorization.ts'
import { fromBase64 } from './base64.ts'

/** The terms a client says it accepted; compared with ours for a new payment only. */
export interface AcceptedTerms {
  readonly amount: string
  readonly payTo: string
  readonly maxTimeoutSeconds: number
  readonly extra?: Readonly<Record<string, unknown>> | null | undefined
}

/** A payment as parsed, and nothing else of what the client sent. */
export interface Payment extends SignedAuthorization {
  readonly accepted: AcceptedTerms
  /** The token the authorization was signed for, as the client says; a signature over another one does not recover. */
  readonly token: Token
  /** The declared extensions as the client echoed them; hostile until each is read. */
  readonly extensions: Readonly<Record<string, unknown>>
}

export type DecodedPayment =
  | { readonly kind: 'payment'; readonly payment: Payment }
  | { readonly kind: 'unpaid'; readonly code: UnpaidCode }

const ADDRESS = /^0x[0-9a-f]{40}$/

const unpaid = (code: UnpaidCode): DecodedPayment => ({ kind: 'unpaid', code })

/**
 * Parses a proof; one that is malformed, or for another scheme or network, is an outcome and never throws.
 *
 * Source: x402 version 2, HTTP transport (PAYMENT-SIGNATURE) and scheme exact on EVM.
 */
export function decodePayment(proof: Proof): DecodedPayment {
  if (proof.kind === 'none') return unpaid('payment_required')
  if (proof.kind === 'version-1') return unpaid('payment_version_unsupported')
  const json = proof.kind === 'text' ? readText(proof.text) : proof.payload
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return unpaid('payment_malformed')
  if ((json as { x402Version?: unknown }).x402Version === 1) return unpaid('payment_version_unsupported')
  const parsed = PaymentPayloadV2Schema.safeParse(json)
  if (!parsed.success) return unpaid('payment_malformed')
  const { accepted, payload, extensions } = parsed.data
  const token = tokenOf(accepted)
  if (accepted.scheme !== 'exact' || accepted.network !== NETWORK || token === null)
    return unpaid('payment_terms_mismatch')
  if (!('authorization' in payload)) return unpaid('payment_terms_mismatch')
  const signed = parseSignedAuthorization(payload)
  if (signed === null) return unpaid('payment_malformed')
  return { kind: 'payment', payment: { ...signed, accepted, token, extensions: extensions ?? {} } }
}

/** Null when the accepted terms name no token with an EIP-712 domain. */
function tokenOf({ asset, extra }: { readonly asset: string; readonly extra?: unknown }): Token | null {
  const address = asset.toLowerCase()
  const { name, version } = (extra ?? {}) as Readonly<Record<string, unknown>>
  if (!ADDRESS.test(address) || typeof name !== 'string' || typeof version !== 'string') return null
  return { asset: address as Hex, domain: { name, version } }
}

function readText(text: string): unknown {
  const bytes = fromBase64(text)
  if (bytes === null) return null
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    return null
  }
}
