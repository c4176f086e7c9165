import { CHECK_TYPES } from 'format-checker-checks/verdict'
import { LIST_RESULT_SCHEMA } from '../../../catalog/list-result.ts'
import type { JsonSchema, Skill } from '../../../catalog/skill.ts'
import { itemSchema, listSchema } from '../../../catalog/validate-list.ts'
import { codesEnding, type ErrorCode } from '../../../errors.ts'
import type { DocumentContext } from '../document-context.ts'
import { allRequired, oneWordOf, text } from './schema-parts.ts'

export const schemaRef = (name: string) => ({ $ref: `#/components/schemas/${name}` })

export const inputName = ({ id }: Skill) => `Input-${id}`

/** One schema is for the results of all checks; /.well-known/x402 has one for each. */
export function sharedSchemas({ skills, channel }: DocumentContext): Readonly<Record<string, JsonSchema>> {
  return {
    Result: RESULT,
    Verdict: VERDICT,
    ...Object.fromEntries(skills.all.map((skill) => [inputName(skill), skill.inputSchema])),
    Items: { ...listSchema('items', ITEM), ...CLOSED },
    Values: { ...listSchema('values', VALUE), ...CLOSED },
    ListResult: LIST_RESULT,
    Problem: PROBLEM,
    PaymentRequired: paymentRequired(channel !== undefined),
    PaymentTerms: PAYMENT_TERMS,
    Listing: LISTING,
  }
}

/** Without required members, as in the specification. */
const RESULT: JsonSchema = {
  type: 'object',
  description: 'A verdict. Personal identifiers are masked; the value is never returned.',
  properties: {
    type: oneWordOf(CHECK_TYPES),
    valid: { type: 'boolean' },
    normalized: { type: ['string', 'null'], description: 'Masked form of a valid value; null when invalid.' },
    reason: text('One English sentence.'),
    details: {
      type: 'object',
      description: 'Members beyond these depend on the type.',
      properties: {
        code: text('Stable, for programs; "ok" if valid.'),
        ruleset: text('The rules it was computed under.'),
      },
      required: ['code', 'ruleset'],
      // Without it, some generators make a closed type, and `details.country` would not compile.
      additionalProperties: true,
    },
  },
}

/**
 * A result with all its members required. Their types are repeated: some generators read `required` only beside
 * `properties`.
 */
const VERDICT: JsonSchema = {
  allOf: [
    schemaRef('Result'),
    allRequired({
      type: 'object',
      properties: {
        type: { type: 'string' },
        valid: { type: 'boolean' },
        normalized: { type: ['string', 'null'] },
        reason: { type: 'string' },
        details: { type: 'object', additionalProperties: true },
      },
    }),
  ],
}

const CLOSED = { additionalProperties: false }
const VALUE = { type: 'string', maxLength: 512 }
const ITEM = { ...itemSchema(oneWordOf(CHECK_TYPES), VALUE), ...CLOSED }

const LIST_RESULT: JsonSchema = {
  type: 'object',
  description: 'The results in the order of the values.',
  properties: { ...LIST_RESULT_SCHEMA.properties, results: { type: 'array', items: schemaRef('Verdict') } },
  required: LIST_RESULT_SCHEMA.required,
}

const PROBLEM: JsonSchema = {
  type: 'object',
  description: 'Problem details (RFC 9457). Never holds a piece of the request.',
  properties: {
    type: { type: 'string', format: 'uri', description: 'Where the code is explained.' },
    title: text('The code in a few words.'),
    status: { type: 'integer', description: 'The HTTP status.' },
    detail: text('What went wrong and what to do.'),
    code: text('Stable, for programs; each status names its own.'),
    charged: {
      enum: [false, true, 'unknown'],
      description: 'Whether the payment of this request was charged.',
    },
    retry: oneWordOf(
      ['never', 'fix', 'unchanged', 'new_payment'],
      'What to do: nothing, correct the request, repeat it unchanged, or repeat it with a new payment.',
    ),
    index: { type: 'integer', description: 'Of the first item of a list that is out of form.' },
  },
  required: ['type', 'title', 'status', 'detail', 'code', 'charged', 'retry'],
}

/** A problem with further members. They are not put beside the reference, because generators then read nothing else. */
const problemWith = (schema: JsonSchema) => ({ allOf: [schemaRef('Problem'), { type: 'object', ...schema }] })

export const problemOfCodes = (codes: readonly ErrorCode[]) =>
  problemWith({ properties: { code: oneWordOf(codes) } })

const PAYMENT_TERMS = allRequired({
  type: 'object',
  description: 'One way to pay (x402 version 1, PaymentRequirements).',
  properties: {
    scheme: { type: 'string', const: 'exact' },
    network: text("Version 1's name of the chain."),
    maxAmountRequired: text('Atomic units of the token; USDC has six decimals.'),
    resource: { type: 'string', format: 'uri' },
    description: text('What is sold.'),
    mimeType: text('Type of the answer.'),
    outputSchema: { type: 'object', description: 'How to call and what is answered.' },
    payTo: text('Payee.'),
    maxTimeoutSeconds: { type: 'integer', description: 'How long an authorization may be valid.' },
    asset: text('Contract address of the token.'),
    extra: { type: 'object', description: "Name and version of the token's EIP-712 domain." },
  },
})

function paymentRequired(offersAllSchemes: boolean): JsonSchema {
  const codes = codesEnding('unpaid').filter((code) => offersAllSchemes || !code.startsWith('channel_'))
  const accepts = { type: 'array', items: schemaRef('PaymentTerms') }
  return {
    description:
      'Problem details with the terms in x402 version 1; the PAYMENT-REQUIRED header has version 2.',
    ...problemWith({
      properties: {
        code: oneWordOf(codes, 'Says why there is no verdict.'),
        price: text('Per call, in US dollars.'),
        serverTime: {
          type: 'integer',
          description: 'UTC seconds; present if the payment was refused for its times.',
        },
        x402Version: { type: 'integer', const: 1 },
        error: text('The reason, as in PAYMENT-REQUIRED.'),
        // Version 1 has no payment channels, so a 402 about a channel may have no terms in its form.
        accepts: offersAllSchemes ? accepts : { ...accepts, minItems: 1 },
      },
      required: ['code', 'price', 'x402Version', 'error', 'accepts'],
    }),
  }
}

const LISTING = allRequired({
  type: 'object',
  description: 'What the service checks and what it costs.',
  properties: {
    service: text('Name of the service.'),
    summary: text('What it does.'),
    baseUrl: { type: 'string', format: 'uri' },
    price: text('Per call, with a dollar sign.'),
    network: text('CAIP-2 name of the chain.'),
    networkName: text('Its everyday name.'),
    asset: text('Contract address of the token.'),
    payTo: text('Who is paid.'),
    facilitator: text('Who settles.'),
    protocol: text('How to pay.'),
    usage: text('How to call.'),
    privacy: text('What becomes of the value.'),
    docs: { type: 'object', additionalProperties: { type: 'string', format: 'uri' } },
    types: {
      type: 'array',
      items: allRequired({
        type: 'object',
        properties: {
          type: oneWordOf(CHECK_TYPES),
          description: { type: 'string' },
          price: { type: 'string' },
          method: { type: 'string', const: 'POST' },
          endpoint: text('Path of the check.'),
        },
      }),
    },
    batch: { type: 'object', description: 'Lists of values under one payment.' },
  },
})
