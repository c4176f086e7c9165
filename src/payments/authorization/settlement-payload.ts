import type { PaymentPayload, PaymentRequirements } from '@x402/core/types'
import { getAddress } from 'viem/utils'
import type { Quote } from '../ports/sale.ts'
import type { Terms } from '../terms/terms.ts'
import type { Payment } from './decode-payment.ts'

/**
 * The terms that an authorization was signed for; they may be older than today's. Whether they are acceptable is
 * decided before its row is written.
 */
function requirementsOf({ authorization, token }: Payment, terms: Terms): PaymentRequirements {
  const { value, to } = authorization
  const isOurs = to === terms.payTo && token.asset === terms.asset
  return {
    ...terms.requirements,
    amount: value.toString(),
    ...(isOurs
      ? {}
      : {
          payTo: getAddress(to),
          asset: getAddress(token.asset),
          extra: { name: token.domain.name, version: token.domain.version },
        }),
  }
}

/**
 * Rebuilt from parsed members and from our own offer, so that no other string of the client is sent to a facilitator. The
 * requirements to settle it under are its `accepted`.
 */
export function settlementPayload(
  { payment, quote }: { readonly payment: Payment; readonly quote: Quote },
  terms: Terms,
): PaymentPayload {
  const { from, to, value, validAfter, validBefore, nonce } = payment.authorization
  const { resource, extensions } = quote.required('payment_required')
  return {
    x402Version: 2,
    ...(resource === undefined ? {} : { resource }),
    accepted: requirementsOf(payment, terms),
    payload: {
      signature: payment.signature,
      authorization: {
        from,
        to,
        value: value.toString(),
        validAfter: validAfter.toString(),
        validBefore: validBefore.toString(),
        nonce,
      },
    },
    ...(extensions === undefined ? {} : { extensions }),
  }
}
