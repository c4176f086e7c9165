import type { PaymentPayload } from '@x402/core/types'
import type { Terms } from '../terms/terms.ts'
import type { Attempt } from './sale-context.ts'

/**
 * What is sent to a facilitator: rebuilt from parsed members and from what we offered ourselves, so that no other
 * string of the client's leaves the machine.
 */
export function settlementPayload({ payment, quote }: Attempt, terms: Terms): PaymentPayload {
  const { from, to, value, validAfter, validBefore, nonce } = payment.authorization
  const { resource, extensions } = quote.required('payment_required')
  return {
    x402Version: 2,
    ...(resource === undefined ? {} : { resource }),
    accepted: terms.requirements,
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
