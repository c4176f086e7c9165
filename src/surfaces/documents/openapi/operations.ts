/** The seven operations: the free listing and the six paid checks. */
import { PRICE_USD } from '../../../skills/price.ts'
import type { Skill } from '../../../skills/skill.ts'
import { type DocumentContext, restUrl, termsOf } from '../document-context.ts'
import { headerRefs } from './headers.ts'
import { paymentRequiredResponse, REFUSALS, responseRef } from './responses.ts'
import { inputName, resultName, schemaRef } from './schemas.ts'

/** `GET /api/types`. */
export function listingOperation({ listing }: DocumentContext) {
  return {
    operationId: 'list_types',
    tags: ['listing'],
    summary: 'List the checks with price, network, asset and payee',
    description: 'Free. No payment, no key, no limit on how often.',
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
export function checkOperation(facts: DocumentContext, skill: Skill) {
  const { scheme, network, asset, amount, payTo, maxTimeoutSeconds } = termsOf(facts, skill)
  return {
    operationId: skill.operationId,
    tags: ['checks'],
    summary: skill.summary,
    description: `${skill.description} Costs USD ${PRICE_USD} per call, paid with x402.`,
    externalDocs: {
      url: `${facts.baseUrl}/.well-known/agent-skills/${skill.id}/SKILL.md`,
      description: 'Rules, codes and edge cases',
    },
    security: [],
    'x-payment-info': {
      price: { mode: 'fixed', currency: 'USD', amount: PRICE_USD },
      protocols: [
        {
          x402: {
            x402Version: 2,
            resource: restUrl(facts, skill),
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
    parameters: PARAMETERS,
    requestBody: {
      required: true,
      description: 'The string to check. At most 8 kB as sent.',
      content: {
        'application/json': { schema: schemaRef(inputName(skill)), examples: examplesOf(skill, 'input') },
      },
    },
    responses: {
      200: soldResponse(skill),
      402: paymentRequiredResponse(facts, skill),
      ...Object.fromEntries(REFUSALS.map((status) => [status, responseRef(status)])),
    },
  }
}

const PARAMETERS = [
  {
    name: 'PAYMENT-SIGNATURE',
    in: 'header',
    required: false,
    description:
      'The payment: base64 of the JSON of an x402 version 2 payment payload for one of the offered terms. Without it ' +
      'the answer is 402 with those terms.',
    schema: { type: 'string', contentEncoding: 'base64' },
  },
  {
    name: 'X-PAYMENT',
    in: 'header',
    required: false,
    description: 'The same payment from a client of x402 version 1.',
    schema: { type: 'string', contentEncoding: 'base64' },
  },
]

function soldResponse(skill: Skill) {
  return {
    description: 'The verdict, also on a value that is not valid (valid: false). This answer was paid for.',
    headers: headerRefs(
      'X-Request-Id',
      'Cache-Control',
      'PAYMENT-RESPONSE',
      'X-PAYMENT-RESPONSE',
      'Payment-Replayed',
      'X-Ruleset-Changed',
    ),
    content: {
      'application/json': { schema: schemaRef(resultName(skill)), examples: examplesOf(skill, 'output') },
    },
  }
}

/** Requests and answers carry the same names, so that a reader can tell which belongs to which. */
function examplesOf({ examples }: Skill, side: 'input' | 'output') {
  return Object.fromEntries(
    examples.map((example, index) => [
      `example${index + 1}`,
      { summary: example.title, value: example[side] },
    ]),
  )
}
