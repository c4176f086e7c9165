/** Every answer that is not a verdict, straight from the catalogue of errors. */
import { ERRORS, type ErrorCode } from '../../../errors.ts'
import { problemOf } from '../../../http/body/problem.ts'
import { DISCOVERY_V1 } from '../../../payments/extensions/discovery.ts'
import { paymentRequiredV1 } from '../../../payments/terms/terms-v1.ts'
import { PRICE } from '../../../skills/price.ts'
import type { Skill } from '../../../skills/skill.ts'
import type { DocumentContext } from '../document-context.ts'
import { type HeaderName, headerRefs } from './headers.ts'
import { schemaRef } from './schemas.ts'

/** Codes that no answer of a check carries: they belong to other protocols, other paths or none. */
const NOT_REST: readonly ErrorCode[] = [
  'task_not_found',
  'host_not_allowed',
  'not_found',
  'payment_key_malformed',
  'payment_not_found',
  'payment_state_unknown',
]

const REST_CODES = (Object.keys(ERRORS) as ErrorCode[]).filter((code) => !NOT_REST.includes(code))

/** Answers of a check that are the same for all six, by status. */
export const REFUSALS = [400, 404, 405, 409, 413, 415, 429, 431, 500, 503] as const
export type RefusalStatus = (typeof REFUSALS)[number]

const WORDS: Readonly<Record<RefusalStatus, readonly [string, ...HeaderName[]]>> = {
  400: ['The request is not one for a check. Not charged, also where a payment came with it.', 'Link'],
  404: ['There is no such check type.'],
  405: ['Checks answer POST only.', 'Allow'],
  409: ['The payment was already used, for another call or too long ago. Not charged again; sign a new one.'],
  413: ['The body is larger than 8 kB. Not charged.', 'Link'],
  415: ['The body is not application/json in UTF-8. Not charged.', 'Link'],
  429: ['Too many unpaid or refused requests.', 'Retry-After'],
  431: ['The headers are larger than 32 kB.'],
  500: ['The service failed. Repeat the request unchanged.'],
  503: [
    'It is not known yet whether the payment settled, or nothing could be settled. Repeat the request unchanged.',
    'Retry-After',
  ],
}

export const responseRef = (status: RefusalStatus) => ({ $ref: `#/components/responses/${nameOf(status)}` })

const nameOf = (status: RefusalStatus) => `Status${status}`

export function sharedResponses({ baseUrl }: DocumentContext) {
  return Object.fromEntries(REFUSALS.map((status) => [nameOf(status), sharedResponse(baseUrl, status)]))
}

function sharedResponse(baseUrl: string, status: RefusalStatus) {
  const [description, ...headers] = WORDS[status]
  const codes = REST_CODES.filter((code) => ERRORS[code].status === status)
  const problem = { schema: schemaRef('Problem') }
  return {
    description,
    // Node refuses such headers before there is a request to give an id to.
    headers: status === 431 ? {} : headerRefs('X-Request-Id', 'Cache-Control', ...headers),
    content: {
      'application/problem+json':
        codes.length === 0
          ? problem
          : { ...problem, examples: examplesOf(codes, (code) => problemOf(baseUrl, code)) },
    },
  }
}

/** The 402 of one skill, with the terms as they are really answered. */
export function paymentRequiredResponse({ baseUrl, quote }: DocumentContext, skill: Skill) {
  const terms = paymentRequiredV1(quote(skill, 'rest').required('payment_required'), DISCOVERY_V1)
  const value = { ...problemOf(baseUrl, 'payment_required'), price: PRICE, ...terms }
  return {
    description:
      'No payment came with the request, or it was refused; `code` says which. Nothing was charged.',
    headers: headerRefs('X-Request-Id', 'Cache-Control', 'PAYMENT-REQUIRED', 'PAYMENT-RESPONSE'),
    content: {
      'application/problem+json': {
        schema: schemaRef('PaymentRequired'),
        examples: { payment_required: { summary: ERRORS.payment_required.title, value } },
      },
    },
  }
}

const examplesOf = (codes: readonly ErrorCode[], exampleOf: (code: ErrorCode) => unknown) =>
  Object.fromEntries(codes.map((code) => [code, { summary: ERRORS[code].title, value: exampleOf(code) }]))
