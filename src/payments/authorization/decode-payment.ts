import { PaymentPayloadV1Schema, PaymentPayloadV2Schema } from '@x402/core/schemas'
import type { Proof, UnpaidCode } from '../sale.ts'
import type { Terms } from '../terms/terms.ts'
import { NETWORK_V1 } from '../terms/terms-v1.ts'
import type { SignedAuthorization } from './authorization.ts'
import { parseSignedAuthorization } from './authorization.ts'
import { fromBase64 } from './base64.ts'

/** A payment made out for our terms; nothing else of what the client sent. */
export interface Payment extends SignedAuthorization {
  /** The declared extensions as the client echoed them; hostile until each is read. */
  readonly extensions: Readonly<Record<string, unknown>>
}

export type DecodedPayment =
  | { readonly kind: 'payment'; readonly payment: Payment }
  | { readonly kind: 'unpaid'; readonly code: UnpaidCode }

/** What both versions carry, once the envelope is off. */
interface Envelope {
  /** False when the client signed for another scheme, network, asset, payee or amount. */
  readonly fitsTerms: boolean
  readonly payload: Record<string, unknown>
  readonly extensions: Readonly<Record<string, unknown>>
}

const unpaid = (code: UnpaidCode): DecodedPayment => ({ kind: 'unpaid', code })

/**
 * Reads a payment of either x402 version and compares it with the terms; a payment out of form or for other terms is
 * an outcome, never a throw. The same authorization gives the same payment in either envelope.
 *
 * Source: x402 version 2, HTTP transport (PAYMENT-SIGNATURE), version 1 (X-PAYMENT), and scheme exact on EVM.
 */
export function decodePayment(proof: Proof, terms: Terms): DecodedPayment {
  if (proof.kind === 'none') return unpaid('payment_required')
  const json = proof.kind === 'text' ? readText(proof.text) : proof.payload
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return unpaid('payment_malformed')
  const { x402Version } = json as { x402Version?: unknown }
  if (typeof x402Version === 'number' && x402Version !== 1 && x402Version !== 2)
    return unpaid('payment_version_unsupported')

  const envelope = x402Version === 1 ? openVersion1(json, terms) : openVersion2(json, terms)
  if (envelope === null) return unpaid('payment_malformed')
  const { fitsTerms, payload, extensions } = envelope
  if (!fitsTerms || !('authorization' in payload)) return unpaid('payment_terms_mismatch')
  const signed = parseSignedAuthorization(payload)
  if (signed === null) return unpaid('payment_malformed')
  const { to, value } = signed.authorization
  if (to !== terms.payTo || value !== terms.amount) return unpaid('payment_terms_mismatch')
  return { kind: 'payment', payment: { ...signed, extensions } }
}

function openVersion2(json: object, terms: Terms): Envelope | null {
  const { success, data } = PaymentPayloadV2Schema.safeParse(json)
  if (!success) return null
  const { accepted, payload, extensions } = data
  return { fitsTerms: acceptsTerms(accepted, terms), payload, extensions: extensions ?? {} }
}

/** Version 1 names scheme and network only; payee, amount and token are what the authorization was signed for. */
function openVersion1(json: object, { requirements }: Terms): Envelope | null {
  const { success, data } = PaymentPayloadV1Schema.safeParse(json)
  if (!success) return null
  const { scheme, network, payload } = data
  const fitsTerms = scheme === requirements.scheme && network === NETWORK_V1
  return { fitsTerms, payload, extensions: {} }
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

interface Accepted {
  readonly scheme: string
  readonly network: string
  readonly amount: string
  readonly asset: string
  readonly payTo: string
  readonly maxTimeoutSeconds: number
  readonly extra?: Record<string, unknown> | null | undefined
}

/** The comparison the x402 core makes, except that addresses are compared without case. */
function acceptsTerms(accepted: Accepted, { requirements, asset, payTo }: Terms): boolean {
  return (
    accepted.scheme === requirements.scheme &&
    accepted.network === requirements.network &&
    accepted.amount === requirements.amount &&
    accepted.maxTimeoutSeconds === requirements.maxTimeoutSeconds &&
    accepted.asset.toLowerCase() === asset &&
    accepted.payTo.toLowerCase() === payTo &&
    Object.entries(requirements.extra).every(([name, value]) => accepted.extra?.[name] === value)
  )
}
