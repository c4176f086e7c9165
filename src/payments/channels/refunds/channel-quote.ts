import type { PaymentRequired } from '@x402/core/types'
import { ERRORS, type UnpaidCode } from '../../../errors.ts'
import { encodeHeader } from '../../../values/json.ts'
import type { Quote } from '../../ports/sale.ts'
import type { ChannelContext } from '../channel-context.ts'

/** The path at which the stock client asks for terms and refunds. */
export const CHANNEL_PATH = '/api/channel'

export function channelQuote({ baseUrl, terms }: ChannelContext): Quote {
  const required = (code: UnpaidCode): PaymentRequired => ({
    x402Version: 2,
    error: ERRORS[code].title,
    resource: {
      url: `${baseUrl}${CHANNEL_PATH}`,
      description: 'Terms and refunds of payment channels.',
      mimeType: 'application/json',
      serviceName: 'Format Checker',
    },
    accepts: [terms.requirementsFor(1)],
  })
  return { required, header: (code) => encodeHeader(required(code)) }
}
