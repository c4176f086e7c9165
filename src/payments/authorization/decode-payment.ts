import { PaymentPayloadV1Schema, PaymentPayloadV2Schema } from '@x402/core/schemas'
import type { Hex } from '../chain/chain-reader.ts'
import type { Proof, UnpaidCode } from '../sale.ts'
import { NETWORK, type Token } from '../terms/terms.ts'
import { NETWORK_V1 } from '../terms/terms-v1.ts'
import { parseSignedAuthorization, type SignedAuthorization } from './authorization.ts'
import { fromBase64 } from './base64.ts'

/** The terms a client of version 2 says it accepted; compared with ours for a new payment only. */
export interface AcceptedTerms {
  readonly amount: string
  readonly payTo: string
  readonly maxTimeoutSeconds: number
  readonly extra?: Readonly<Record<string, unknown>> | null | undefined
}

/** A payment as parsed, and nothing else of what the client sent. */
export interface Payment extends SignedAuthorization {
  /** Null in version 1, which names scheme and network only. */
  readonly accepted: AcceptedTerms | null
  /** The token the authorization was signed for, as the client says; a signature over another one does not recover. */
  readonly token: Token
  /** The declared extensions as the client echoed them; hostile until each is read. */
  readonly extensions: Readonly<Record<string, unknown>>
}

export type DecodedPayment =
  | { readonly kind: 'payment'; readonly payment: Payment }
  | { readonly kind: 'unpaid'; readonly code: UnpaidCode }

/** What both versions carry; the token is null when the payment is for another scheme, network or kind of asset. */
interface Envelope extends Pick<Payment, 'accepted' | 'extensions'> {
  readonly token: Token | null
  readonly payload: Record<string, unknown>
}

const ADDRESS = /^0x[0-9a-f]{40}$/
const SCHEME = 'exact'

const unpaid = (code: UnpaidCode): DecodedPayment => ({ kind: 'unpaid', code })

/**
 * Parses a payment of either x402 version; one that is malformed, or for another scheme or network, is an outcome and
 * never throws. The same authorization gives the same payment in either envelope.
 *
 * Source: x402 version 2, HTTP transport (PAYMENT-SIGNATURE), version 1 (X-PAYMENT), and scheme exact on EVM.
 */
export function decodePayment(proof: Proof, ours: Token): DecodedPayment {
  if (proof.kind === 'none') return unpaid('payment_required')
  const json = proof.kind === 'text' ? readText(proof.text) : proof.payload
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return unpaid('payment_malformed')
  const { x402Version } = json as { x402Version?: unknown }
  if (typeof x402Version === 'number' && x402Version !== 1 && x402Version !== 2)
    return unpaid('payment_version_unsupported')

  const envelope = x402Version === 1 ? openVersion1(json, ours) : openVersion2(json)
  if (envelope === null) return unpaid('payment_malformed')
  const { token, payload, accepted, extensions } = envelope
  if (token === null || !('authorization' in payload)) return unpaid('payment_terms_mismatch')
  const signed = parseSignedAuthorization(payload)
  return signed === null
    ? unpaid('payment_malformed')
    : { kind: 'payment', payment: { ...signed, accepted, token, extensions } }
}

function openVersion2(json: object): Envelope | null {
  const { success, data } = PaymentPayloadV2Schema.safeParse(json)
  if (!success) return null
  const { accepted, payload, extensions } = data
  const isOurKind = accepted.scheme === SCHEME && accepted.network === NETWORK
  return { token: isOurKind ? tokenOf(accepted) : null, payload, accepted, extensions: extensions ?? {} }
}

/** Version 1 names no token; the authorization can only have been signed for ours. */
function openVersion1(json: object, ours: Token): Envelope | null {
  const { success, data } = PaymentPayloadV1Schema.safeParse(json)
  if (!success) return null
  const { scheme, network, payload } = data
  const isOurKind = scheme === SCHEME && network === NETWORK_V1
  return { token: isOurKind ? ours : null, payload, accepted: null, extensions: {} }
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
