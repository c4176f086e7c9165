import type { PaymentRequirements, ResourceInfo } from '@x402/core/types'
import { detailOn, ERRORS } from '../../errors.ts'
import type { Purchase, Quote } from '../ports/sale.ts'
import { quoteOf } from './quote-for.ts'
import { resourceUrl } from './quoted-resource.ts'

/** At the address of channels, where no other scheme is offered: a client that knows both would pay by the other one. */
export function quoteOfChannel(
  resource: ResourceInfo,
  quoted: Purchase,
  offer?: (items: number) => PaymentRequirements,
): Quote {
  if (offer === undefined) throw new Error('channels are off')
  const elsewhere = `Single payments are taken at ${resourceUrl('', quoted, 'rest')}.`
  return quoteOf((code) => ({
    x402Version: 2,
    error:
      code === 'payment_required'
        ? `${ERRORS[code].title}. ${elsewhere}`
        : `${code}: ${detailOn(code, 'rest')} ${elsewhere}`,
    resource,
    accepts: [offer(quoted.items)],
  }))
}
