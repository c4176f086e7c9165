import type { PaymentPayload, PaymentRequirements } from '@x402/core/types'
import { getAddress } from 'viem/utils'
import type { Quote } from '../ports/sale.ts'
import type { Terms } from '../terms/terms.ts'
import type { Payment } from './decode-payment.ts'

/** They may be older than today's; whether they are acceptable is decided before the row is written. */
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

/** Rebuilt from parsed members and our own offer, so that no other string of the client reaches a facilitator. */
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
