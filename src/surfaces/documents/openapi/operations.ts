import { PRICE_USD } from '../../../catalog/price.ts'
import type { Skill } from '../../../catalog/skill.ts'
import { termsOf } from '../../../payments/terms/rest-offer.ts'
import { PATHS } from '../../call/paths.ts'
import type { DocumentContext } from '../document-context.ts'
import { headerRefs } from './headers.ts'
import { REFUSALS, responseRef, SOLD_REF } from './responses.ts'
import { inputName, schemaRef } from './schemas.ts'

/** `GET /api/types`. */
export function listingOperation({ listing }: DocumentContext) {
  return {
    operationId: 'list_types',
    tags: ['listing'],
    summary: 'List the checks with price, network, asset and payee',
    description: 'Free: no payment, no key.',
    security: [],
    responses: {
      200: {
        description: `What ${listing.service} checks and what it costs.`,
        headers: headerRefs('X-Request-Id', 'ETag', 'Cache-Control'),
        content: { 'application/json': { schema: schemaRef('Listing') } },
      },
      304: {
        description: 'The listing is the one of If-None-Match.',
        headers: headerRefs('X-Request-Id', 'ETag'),
      },
      405: responseRef(405),
      500: responseRef(500),
    },
  }
}

/** `POST /api/validate/{type}` of one skill. */
export function checkOperation(context: DocumentContext, skill: Skill) {
  const { scheme, network, asset, amount, payTo, maxTimeoutSeconds } = termsOf(context, skill)
  const [example] = skill.examples
  return {
    operationId: skill.operationId,
    tags: ['checks'],
    summary: skill.summary,
    description: `${skill.description} Costs USD ${PRICE_USD} per call, paid with x402.`,
    externalDocs: {
      url: `${context.baseUrl}${PATHS.agentSkills}/${skill.id}/SKILL.md`,
    },
    security: [],
    'x-payment-info': {
      price: { mode: 'fixed', currency: 'USD', amount: PRICE_USD },
      protocols: [
        {
          x402: {
            x402Version: 2,
            scheme,
            network,
            asset,
            payTo,
            amount,
            maxTimeoutSeconds,
          },
        },
      ],
    },
    parameters: PAYMENT_PARAMETERS,
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: schemaRef(inputName(skill)),
          examples: { example: { summary: example.title, value: example.input } },
        },
      },
    },
    responses: {
      200: SOLD_REF,
      402: responseRef(402),
      ...Object.fromEntries(REFUSALS.map((status) => [status, responseRef(status)])),
    },
  }
}

/** `POST /api/validate/{type}/batch` of one skill, or `/api/validate/batch` of several: values under one payment. */
export function listOperation(skill?: Skill) {
  return {
    operationId: skill === undefined ? 'validate_batch' : `${skill.operationId}_batch`,
    tags: ['checks'],
    summary: `Check a list of ${skill === undefined ? 'values of any types' : `${skill.id} values`} under one payment`,
    description: `1 to 1,000 values, answered in order. Costs USD ${PRICE_USD} a value.`,
    security: [],
    'x-payment-info': {
      price: { mode: 'dynamic', currency: 'USD', min: PRICE_USD, max: '1.000' },
      protocols: [{ x402: {} }],
    },
    parameters: PAYMENT_PARAMETERS,
    requestBody: {
      required: true,
      content: { 'application/json': { schema: schemaRef(skill === undefined ? 'Items' : 'Values') } },
    },
    responses: {
      200: { $ref: '#/components/responses/SoldList' },
      402: responseRef(402),
      ...Object.fromEntries(LIST_REFUSALS.map((status) => [status, responseRef(status)])),
    },
  }
}

/** The path of a list always exists. */
const LIST_REFUSALS = REFUSALS.filter((status) => status !== 404)

const PAYMENT_PARAMETERS = [
  { $ref: '#/components/parameters/PAYMENT-SIGNATURE' },
  { $ref: '#/components/parameters/X-PAYMENT' },
]

export const sharedParameters = {
  'PAYMENT-SIGNATURE': {
    name: 'PAYMENT-SIGNATURE',
    in: 'header',
    required: false,
    description:
      'The payment: base64 of JSON, an x402 version 2 payload for one of the offered terms. Without it ' +
      'the answer is 402 with those terms.',
    schema: { type: 'string', contentEncoding: 'base64' },
  },
  'X-PAYMENT': {
    name: 'X-PAYMENT',
    in: 'header',
    required: false,
    description: 'The same payment from a client of x402 version 1.',
    schema: { type: 'string', contentEncoding: 'base64' },
  },
}
