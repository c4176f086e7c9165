import { PaymentPayloadV1Schema } from '@x402/core/schemas'
import type { Hex } from 'viem'
import type { UnpaidCode } from '../../errors.ts'
import { ADDRESS } from '../../values/hex.ts'
import { isObject, parseJson } from '../../values/json.ts'
import type { Terms, Token } from '../terms/terms.ts'
import { parseSignedAuthorization, type SignedAuthorization } from './authorization.ts'
import { fromBase64 } from './base64.ts'
import { isNetwork, PAYLOAD_V2 } from './payload-v2.ts'

/** A path, e.g. "accepted.maxTimeoutSeconds". */
export type PaymentMember = string

/** Compared with ours for a new payment only. */
export interface AcceptedTerms {
  readonly amount: string
  readonly payTo: string
  readonly maxTimeoutSeconds: number
  readonly extra?: Readonly<Record<string, unknown>> | null | undefined
}

/** Other members that the client sent are dropped. */
export interface Payment extends SignedAuthorization {
  readonly accepted: AcceptedTerms
  /** As the client says; if it is not the token that was signed, the signature does not recover. */
  readonly token: Token
  /** As the client echoed them, unverified. */
  readonly extensions: Readonly<Record<string, unknown>>
}

export type DecodedPayment =
  | { readonly kind: 'payment'; readonly payment: Payment }
  /** `member`: present for other terms, and shows it. */
  | { readonly kind: 'unpaid'; readonly code: UnpaidCode; readonly member?: PaymentMember }

const unpaid = (code: UnpaidCode): DecodedPayment => ({ kind: 'unpaid', code })
const mismatch = (member: PaymentMember): DecodedPayment => ({
  kind: 'unpaid',
  code: 'payment_terms_mismatch',
  member,
})

/**
 * An authorization gives the same payment in both versions. Never throws. Source: x402 version 2, HTTP transport
 * (PAYMENT-SIGNATURE), version 1 (X-PAYMENT), and scheme exact on EVM.
 */
export function decodePayment(json: unknown, terms: Terms): DecodedPayment {
  if (!isObject(json)) return unpaid('payment_malformed')
  const { x402Version } = json
  if (x402Version === 1) return openVersion1(json, terms)
  if (typeof x402Version === 'number' && x402Version !== 2) return unpaid('payment_version_unsupported')
  return openVersion2(json, terms)
}

/** The rest of the payment may still be malformed. */
export const namesNetwork = (json: unknown, { id, v1Name }: Terms['network']): boolean =>
  isObject(json) &&
  (json.x402Version === 1 ? json.network === v1Name : isObject(json.accepted) && json.accepted.network === id)

function openVersion2(json: object, { network }: Terms): DecodedPayment {
  const { success, data } = PAYLOAD_V2.safeParse(json)
  if (!success) return unpaid('payment_malformed')
  const { accepted, payload, extensions } = data
  if (accepted.network !== network.id)
    return isNetwork(accepted.network) ? mismatch('accepted.network') : unpaid('payment_malformed')
  if (accepted.scheme !== 'exact') return mismatch('accepted.scheme')
  const token = tokenOf(accepted, network.chainId)
  if (typeof token === 'string') return mismatch(token)
  if (!('authorization' in payload)) return mismatch('payload.authorization')
  const signed = parseSignedAuthorization(payload)
  if (signed === null) return unpaid('payment_malformed')
  return { kind: 'payment', payment: { ...signed, accepted, token, extensions: extensions ?? {} } }
}

/** Version 1 names only scheme and network: payee and amount are those of the authorization, the token is ours. */
function openVersion1(json: object, { requirements, asset, domain, network: ours }: Terms): DecodedPayment {
  const { success, data } = PaymentPayloadV1Schema.safeParse(json)
  if (!success) return unpaid('payment_malformed')
  const { scheme, network, payload } = data
  if (network !== ours.v1Name) return mismatch('network')
  if (scheme !== requirements.scheme) return mismatch('scheme')
  if (!('authorization' in payload)) return mismatch('payload.authorization')
  const signed = parseSignedAuthorization(payload)
  if (signed === null) return unpaid('payment_malformed')
  const { to, value } = signed.authorization
  const { maxTimeoutSeconds, extra } = requirements
  const accepted = { amount: String(value), payTo: to, maxTimeoutSeconds, extra }
  return { kind: 'payment', payment: { ...signed, accepted, token: { asset, domain }, extensions: {} } }
}

/** The member that is missing or malformed if it names no token. */
function tokenOf(
  { asset, extra }: { readonly asset: string; readonly extra?: unknown },
  chainId: number,
): Token | PaymentMember {
  const address = asset.toLowerCase()
  if (!ADDRESS.test(address)) return 'accepted.asset'
  if (!isObject(extra)) return 'accepted.extra'
  const { name, version } = extra
  if (typeof name !== 'string') return 'accepted.extra.name'
  if (typeof version !== 'string') return 'accepted.extra.version'
  return { asset: address as Hex, domain: { name, version, chainId } }
}

/** As many as all headers of a request may have. */
const LONGEST_TEXT = 32_768

/** Undefined if the text is not base64 of JSON. */
export function readText(text: string): unknown {
  const bytes = text.length > LONGEST_TEXT ? null : fromBase64(text)
  return bytes === null ? undefined : parseJson(bytes.toString('utf8'))
}
