import { headerRefs } from './headers.ts'
import { responseRef } from './responses.ts'

/** Without those of a body, which a refund does not have. */
const REFUSED = [405, 429, 431, 500, 503] as const

const text = { type: 'string' }

/** `GET /api/channel`. Kept short: the size of the document is limited. */
export function channelOperation() {
  return {
    operationId: 'refund_channel',
    tags: ['listing'],
    summary: 'Terms of payment channels; pays back what is left of one',
    description: 'Without a payment the terms; with one of type refund pays back.',
    security: [],
    parameters: [{ $ref: '#/components/parameters/PAYMENT-SIGNATURE' }],
    responses: {
      200: {
        description: 'Paid back, in atomic units.',
        headers: headerRefs('PAYMENT-RESPONSE'),
        content: {
          'application/json': {
            schema: {
              type: 'object',
              properties: { refunded: text, transaction: text },
              required: ['refunded', 'transaction'],
            },
          },
        },
      },
      402: responseRef(402),
      ...Object.fromEntries(REFUSED.map((status) => [status, responseRef(status)])),
    },
  }
}
