/**
 * The metadata of x402 in A2A messages.
 *
 * Source: x402 version 2, specs/transports-v2/a2a.md; a2a-x402 specifications 0.1 and 0.2.
 */
import { readText } from '../../../payments/authorization/decode-payment.ts'
import { isChannelPayment } from '../../../payments/channels/voucher/decode-channel-payment.ts'
import type { RawPayment } from '../../../payments/ports/sale.ts'
import { ALL_SCHEMES_KEY } from '../../call/request-options.ts'

const PREFIX = 'x402.'

export const STATUS_KEY = 'x402.payment.status'
export const REQUIRED_KEY = 'x402.payment.required'
const PAYLOAD_KEY = 'x402.payment.payload'
export const RECEIPTS_KEY = 'x402.payment.receipts'
export const ERROR_KEY = 'x402.payment.error'
/** Our own: this answer repeats an earlier sale. */
export const REPLAYED_KEY = 'x402.payment.replayed'

export const SKILL_KEYS = ['skillId', 'skill'] as const

export type Metadata = Readonly<Record<string, unknown>>

export type PaymentSignal =
  | { readonly kind: 'none' }
  /** The client knows payment in messages and has not paid yet. */
  | { readonly kind: 'aware' }
  | { readonly kind: 'submitted'; readonly rawPayment: RawPayment }
  | { readonly kind: 'rejected' }

/** All others are dropped. */
export const isMetadataKey = (key: string): boolean =>
  key.startsWith(PREFIX) || key === ALL_SCHEMES_KEY || SKILL_KEYS.some((known) => known === key)

/** A payload counts with any status but `payment-rejected`. */
export function readPaymentSignal(metadata: Metadata = {}): PaymentSignal {
  if (!Object.keys(metadata).some((key) => key.startsWith(PREFIX))) return { kind: 'none' }
  const status = metadata[STATUS_KEY]
  if (status === 'payment-rejected') return { kind: 'rejected' }
  const payload = metadata[PAYLOAD_KEY]
  if (typeof payload === 'string') return { kind: 'submitted', rawPayment: { kind: 'text', text: payload } }
  if (payload != null || status === 'payment-submitted') {
    return { kind: 'submitted', rawPayment: { kind: 'object', payload } }
  }
  return { kind: 'aware' }
}

export const paysByOtherScheme = ({ [PAYLOAD_KEY]: payload }: Metadata): boolean =>
  isChannelPayment(typeof payload === 'string' ? readText(payload) : payload)
