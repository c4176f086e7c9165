import { PRICE_USD } from '../../../catalog/price.ts'
import type { Skill } from '../../../catalog/skill.ts'
import { termsOf } from '../../../payments/terms/rest-offer.ts'
import { PATHS } from '../../call/paths.ts'
import type { DocumentContext } from '../document-context.ts'
import { headerRefs } from './headers.ts'
import { REFUSALS, responseRef, responseRefs } from './responses.ts'
import { jsonOf } from './schema-parts.ts'
import { inputName, schemaRef } from './schemas.ts'

export const freeOperation = (operationId: string, summary: string, description: string) => ({
  operationId,
  tags: ['listing'],
  summary,
  description,
  security: [],
})

export const listingOperation = ({ listing }: DocumentContext) => ({
  ...freeOperation(
    'list_types',
    'List the checks with price, network, asset and payee',
    'Free: no payment, no key.',
  ),
  responses: {
    200: {
      description: `What ${listing.service} checks and what it costs.`,
      headers: headerRefs('X-Request-Id', 'ETag', 'Cache-Control'),
      content: jsonOf(schemaRef('Listing')),
    },
    304: {
      description: 'The listing is the one of If-None-Match.',
      headers: headerRefs('X-Request-Id', 'ETag'),
    },
    ...responseRefs(405, 500),
  },
})

/** `POST /api/validate/{type}` of one skill. */
export function checkOperation(context: DocumentContext, skill: Skill) {
  const { extra: _, ...terms } = termsOf(context, skill)
  const [example] = skill.examples
  return {
    ...paidOperation(skill.operationId, skill.summary),
    description: `${skill.description} Costs USD ${PRICE_USD} per call, paid with x402.`,
    externalDocs: {
      url: `${context.baseUrl}${PATHS.agentSkills}/${skill.id}/SKILL.md`,
    },
    'x-payment-info': {
      price: { mode: 'fixed', currency: 'USD', amount: PRICE_USD },
      protocols: [{ x402: { x402Version: 2, ...terms } }],
    },
    requestBody: {
      required: true,
      content: jsonOf(schemaRef(inputName(skill)), {
        example: { summary: example.title, value: example.input },
      }),
    },
    responses: { 200: responseRef('Sold'), ...responseRefs(402, ...REFUSALS) },
  }
}

/** `POST /api/validate/{type}/batch` of one skill, or `/api/validate/batch` of several: values under one payment. */
export const listOperation = (skill?: Skill) => ({
  ...paidOperation(
    skill === undefined ? 'validate_batch' : `${skill.operationId}_batch`,
    `Check a list of ${skill === undefined ? 'values of any types' : `${skill.id} values`} under one payment`,
  ),
  description: `1 to 1,000 values, answered in order. Costs USD ${PRICE_USD} a value.`,
  'x-payment-info': {
    price: { mode: 'dynamic', currency: 'USD', min: PRICE_USD, max: '1.000' },
    protocols: [{ x402: {} }],
  },
  requestBody: { required: true, content: jsonOf(schemaRef(skill === undefined ? 'Items' : 'Values')) },
  // The path of a list always exists.
  responses: {
    200: responseRef('SoldList'),
    ...responseRefs(402, ...REFUSALS.filter((status) => status !== 404)),
  },
})

export const paidOperation = (operationId: string, summary: string) => ({
  operationId,
  tags: ['checks'],
  summary,
  security: [],
  parameters: [SIGNATURE, { $ref: '#/components/parameters/X-PAYMENT' }],
})

export const SIGNATURE = { $ref: '#/components/parameters/PAYMENT-SIGNATURE' }

const paymentHeader = (name: string, description: string) => ({
  name,
  in: 'header',
  required: false,
  description,
  schema: { type: 'string', contentEncoding: 'base64' },
})

export const sharedParameters = {
  'PAYMENT-SIGNATURE': paymentHeader(
    'PAYMENT-SIGNATURE',
    'The payment: base64 of JSON, an x402 version 2 payload for one of the offered terms. Without it ' +
      'the answer is 402 with those terms.',
  ),
  'X-PAYMENT': paymentHeader('X-PAYMENT', 'The same payment from a client of x402 version 1.'),
}
