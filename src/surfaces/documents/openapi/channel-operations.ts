import { PATHS } from '../../call/paths.ts'
import type { DocumentContext } from '../document-context.ts'
import { headerRefs } from './headers.ts'
import { freeOperation, paidOperation, SIGNATURE } from './operations.ts'
import { REFUSALS, responseRefs } from './responses.ts'
import { jsonOf } from './schema-parts.ts'
import { inputName, schemaRef } from './schemas.ts'

export const channelPaths = (context: DocumentContext) => ({
  [PATHS.channel]: { get: refundOperation() },
  [`${PATHS.overChannel}{type}`]: { post: overChannelOperation(context) },
})

const text = { type: 'string' }

/** `GET /api/channel`. Kept short: the size of the document is limited. */
const refundOperation = () => ({
  ...freeOperation(
    'refund_channel',
    'Terms of payment channels; pays back what is left of one',
    'Without a payment the terms; with one of type refund pays back.',
  ),
  parameters: [SIGNATURE],
  responses: {
    200: {
      description: 'Paid back, in atomic units.',
      headers: headerRefs('PAYMENT-RESPONSE'),
      content: jsonOf({
        type: 'object',
        properties: { refunded: text, transaction: text },
        required: ['refunded', 'transaction'],
      }),
    },
    // Without those of a body, which a refund does not have.
    ...responseRefs(402, 405, 429, 431, 500, 503),
  },
})

/**
 * `POST /api/channel/validate/{type}` and `/batch`. Without `x-payment-info`, so that catalogues list each check once, at the
 * address that takes single payments.
 */
const overChannelOperation = ({ skills }: DocumentContext) => ({
  ...paidOperation('validate_over_channel', 'Check a value, or a batch of them, and pay over a channel'),
  description:
    'Its terms are those of batch-settlement alone. Requests and answers as at the paths of single payments.',
  parameters: [
    {
      name: 'type',
      in: 'path',
      required: true,
      description: 'What the value is; batch for a list.',
      schema: { type: 'string', enum: [...skills.all.map(({ id }) => id), 'batch'] },
    },
    SIGNATURE,
  ],
  requestBody: {
    required: true,
    content: jsonOf({ oneOf: [schemaRef(inputName(skills.all[0])), schemaRef('Items')] }),
  },
  responses: {
    200: {
      description: 'The verdict, or those of a batch.',
      headers: headerRefs('X-Request-Id', 'PAYMENT-RESPONSE', 'Payment-Replayed'),
      content: jsonOf({ oneOf: [schemaRef('Verdict'), schemaRef('ListResult')] }),
    },
    ...responseRefs(402, ...REFUSALS),
  },
})
