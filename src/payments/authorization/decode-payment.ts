import { PaymentPayloadV2Schema } from '@x402/core/schemas'
import type { Proof, UnpaidCode } from '../sale.ts'
import type { Terms } from '../terms/terms.ts'
import type { SignedAuthorization } from './authorization.ts'
import { parseSignedAuthorization } from './authorization.ts'
import { fromBase64 } from './base64.ts'

/** A proof that is made out for our terms, and nothing else of what the client sent. */
export interface Payment extends SignedAuthorization {
  /** The declared extensions as the client echoed them; hostile until each is read. */
  readonly extensions: Readonly<Record<string, unknown>>
}

export type DecodedPayment =
  | { readonly kind: 'payment'; readonly payment: Payment }
  | { readonly kind: 'unpaid'; readonly code: UnpaidCode }

const unpaid = (code: UnpaidCode): DecodedPayment => ({ kind: 'unpaid', code })

/**
 * Reads a proof and holds it against the terms; a proof out of form or for other terms is an outcome, never a throw.
 *
 * Source: x402 version 2, HTTP transport (PAYMENT-SIGNATURE) and scheme exact on EVM.
 */
export function decodePayment(proof: Proof, terms: Terms): DecodedPayment {
  if (proof.kind === 'none') return unpaid('payment_required')
  if (proof.kind === 'version-1') return unpaid('payment_version_unsupported')
  const json = proof.kind === 'text' ? readText(proof.text) : proof.payload
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return unpaid('payment_malformed')
  if ((json as { x402Version?: unknown }).x402Version === 1) return unpaid('payment_version_unsupported')
  const parsed = PaymentPayloadV2Schema.safeParse(json)
  if (!parsed.success) return unpaid('payment_malformed')
  const { accepted, payload, extensions } = parsed.data
  if (!acceptsTerms(accepted, terms) || !('authorization' in payload)) return unpaid('payment_terms_mismatch')
  const signed = parseSignedAuthorization(payload)
  if (signed === null) return unpaid('payment_malformed')
  const { to, value } = signed.authorization
  if (to !== terms.payTo || value !== terms.amount) return unpaid('payment_terms_mismatch')
  return { kind: 'payment', payment: { ...signed, extensions: extensions ?? {} } }
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

/** The same test the x402 core makes, except that addresses are compared without case. */
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
