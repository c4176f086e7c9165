const text = (description: string, schema: object = {}) => ({
  description,
  schema: { type: 'string', ...schema },
})

const BASE64 = { contentEncoding: 'base64' }
const TRUE = { const: 'true' }

export const sharedHeaders = {
  'X-Request-Id': text('Names this answer, for reports.'),
  'Cache-Control': text('no-store where a payment is concerned.'),
  ETag: text('Strong entity tag of the document.'),
  'PAYMENT-REQUIRED': text('The terms: base64 of JSON, an x402 version 2 PaymentRequired.', BASE64),
  'PAYMENT-RESPONSE': text(
    'The settlement: base64 of JSON, an x402 version 2 SettlementResponse, with a signed receipt where settled. Equal on every repetition.',
    BASE64,
  ),
  'X-PAYMENT-RESPONSE': text('The same in version 1, for a payment in X-PAYMENT.', BASE64),
  'Payment-Replayed': text('"true" where an earlier answer was repeated and nothing was charged.', TRUE),
  'X-Ruleset-Changed': text('"true" where a repeated answer was computed under newer rules.', TRUE),
  'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer', minimum: 0 } },
  Allow: text('The methods this path answers.'),
  Link: text('Where the interface is described (rel="service-desc").'),
} as const

export type HeaderName = keyof typeof sharedHeaders

export const headerRefs = (...names: readonly HeaderName[]) =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
