import { ERRORS } from '../../../errors.ts'
import type { Quote } from '../../ports/sale.ts'
import { CHANNEL_PATH } from '../../terms/channel-terms.ts'
import { quoteOf } from '../../terms/quote-for.ts'
import type { ChannelContext } from '../channel-context.ts'

export const channelQuote = ({ baseUrl, terms }: ChannelContext): Quote =>
  quoteOf((code) => ({
    x402Version: 2,
    error: ERRORS[code].title,
    resource: {
      url: `${baseUrl}${CHANNEL_PATH}`,
      description: 'Terms and refunds of payment channels.',
      mimeType: 'application/json',
      serviceName: 'Format Checker',
    },
    accepts: [terms.requirementsFor(1)],
  }))
