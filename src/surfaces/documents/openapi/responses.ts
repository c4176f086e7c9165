/** The answers of a check, described once for all checks. */

import { PRICE } from '../../../catalog/price.ts'
import type { Skill } from '../../../catalog/skill.ts'
import { ERRORS, type ErrorCode, type ErrorEntry } from '../../../errors.ts'
import { problemOf } from '../../../http/body/problem.ts'
import { DISCOVERY_V1 } from '../../../payments/extensions/discovery.ts'
import { paymentRequiredV1 } from '../../../payments/terms/terms-v1.ts'
import type { DocumentContext } from '../document-context.ts'
import { type HeaderName, headerRefs } from './headers.ts'
import { jsonOf } from './schema-parts.ts'
import { problemOfCodes, schemaRef } from './schemas.ts'

const CODES_OF = Map.groupBy(
  (Object.entries(ERRORS) as [ErrorCode, ErrorEntry][]).filter(([, { rest }]) => rest !== false),
  ([, { status }]) => status,
)

/** The statuses of answers without a verdict and without terms. */
export const REFUSALS: readonly number[] = [...CODES_OF.keys()].filter((status) => status !== 402).sort()

/** The description of a status, then its headers. A status that is not here is described by the titles of its codes. */
const WORDS: Readonly<Record<number, readonly [string, ...HeaderName[]]>> = {
  400: ['The request is not a check. Not charged, even with a payment.', 'Link'],
  404: ['Unknown check type.'],
  405: ['This path does not answer that method.', 'Allow'],
  409: [
    'Used before, for another call or too long ago. Not charged again; sign a new one.',
    'PAYMENT-RESPONSE',
  ],
  413: ['Body over 8 kB, or 1 MB for a list. Not charged.', 'Link'],
  415: [
    'The body is not application/json in UTF-8. Not charged; an unpaid call sees the price and the terms.',
    'PAYMENT-REQUIRED',
  ],
  429: ['Too many unpaid or refused requests.', 'Retry-After', 'PAYMENT-RESPONSE'],
  431: ['Headers over 32 kB. Not charged.'],
  500: ['The service failed. Repeat the request unchanged.'],
  503: [
    'Not known yet whether the payment settled, or nothing could be settled. Repeat the request unchanged.',
    'Retry-After',
  ],
}

export const responseRef = (name: string) => ({ $ref: `#/components/responses/${name}` })

export const responseRefs = (...statuses: readonly number[]) =>
  Object.fromEntries(statuses.map((status) => [status, responseRef(nameOf(status))]))

const nameOf = (status: number) => `Status${status}`

export function sharedResponses(context: DocumentContext) {
  const [skill] = context.skills.all
  return {
    Sold: soldResponse('Verdict'),
    SoldList: soldResponse('ListResult'),
    Status402: paymentRequiredResponse(context, skill),
    ...Object.fromEntries(REFUSALS.map((status) => [nameOf(status), sharedResponse(status)])),
  }
}

function soldResponse(schema: 'Verdict' | 'ListResult') {
  return {
    description:
      'The verdict, or one per value, also on an invalid value (valid: false). This answer was paid for.',
    headers: headerRefs(
      'X-Request-Id',
      'Cache-Control',
      'PAYMENT-RESPONSE',
      'X-PAYMENT-RESPONSE',
      'Payment-Replayed',
      'X-Ruleset-Changed',
    ),
    content: jsonOf(schemaRef(schema)),
  }
}

function sharedResponse(status: number) {
  const entries = CODES_OF.get(status) ?? []
  const titles = entries.map(([, { title }]) => `${title}.`).join(' ')
  const [description, ...headers] = WORDS[status] ?? [titles]
  const schema = problemOfCodes(entries.map(([code]) => code))
  return {
    description,
    // For a 431 Node answers, before the request has an id.
    headers: status === 431 ? {} : headerRefs('X-Request-Id', ...headers),
    content: { 'application/problem+json': { schema } },
  }
}

/** The 402 with the terms of one skill as an example; those of the others differ only in the resource. */
function paymentRequiredResponse({ baseUrl, quote }: DocumentContext, skill: Skill) {
  const terms = paymentRequiredV1(quote(skill, 'rest').required('payment_required'), DISCOVERY_V1)
  const value = { ...problemOf(baseUrl, 'payment_required'), price: PRICE, ...terms }
  return {
    description: 'No payment, or a refused one: see `code` and `charged`.',
    headers: headerRefs(
      'X-Request-Id',
      'Cache-Control',
      'PAYMENT-REQUIRED',
      'PAYMENT-RESPONSE',
      'X-PAYMENT-RESPONSE',
    ),
    content: {
      'application/problem+json': {
        schema: schemaRef('PaymentRequired'),
        examples: { payment_required: { summary: ERRORS.payment_required.title, value } },
      },
    },
  }
}
