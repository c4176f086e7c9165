interface ResponseHeader {
  readonly description: string
  /** Beside `type: string`; absent if no operation of OpenAPI names the header. */
  readonly schema?: object
  /** True if pages of other origins may read it (CORS). */
  readonly exposed?: true
  /** True if several values are one list (RFC 9110, 5.3). */
  readonly list?: true
}

const BASE64 = { contentEncoding: 'base64' }
const TRUE = { const: 'true' }

/**
 * Every header of our answers, beside those of `helmet` and Node. `test/surfaces/response-headers.test.ts` asks every
 * path and finds none twice or missing here.
 */
export const RESPONSE_HEADERS = {
  'X-Request-Id': { exposed: true, description: 'Names this answer, for reports.', schema: {} },
  'Cache-Control': { description: 'no-store where a payment is concerned.', schema: {} },
  'Content-Type': { description: 'The media type.' },
  'Content-Length': { description: 'The length in bytes.' },
  'PAYMENT-REQUIRED': {
    exposed: true,
    description: 'The terms: base64 of JSON, an x402 version 2 PaymentRequired.',
    schema: BASE64,
  },
  'PAYMENT-RESPONSE': {
    exposed: true,
    description:
      'The settlement: base64 of JSON, an x402 version 2 SettlementResponse, with a signed receipt where settled. Equal on every repetition.',
    schema: BASE64,
  },
  'X-PAYMENT-RESPONSE': {
    exposed: true,
    description: 'The same in version 1, for a payment in X-PAYMENT.',
    schema: BASE64,
  },
  'Payment-Replayed': {
    exposed: true,
    description: '"true" where an earlier answer was repeated and nothing was charged.',
    schema: TRUE,
  },
  'X-Ruleset-Changed': {
    exposed: true,
    description: '"true" where a repeated answer was computed under newer rules.',
    schema: TRUE,
  },
  'Retry-After': { exposed: true, description: 'Seconds to wait.', schema: { type: 'integer', minimum: 0 } },
  Allow: { list: true, description: 'The methods this path answers.', schema: {} },
  Accept: { list: true, description: 'The media type that a 415 asks for.' },
  'Accept-Encoding': { list: true, description: 'The content coding that a 415 asks for.' },
  Link: {
    exposed: true,
    list: true,
    description: 'Where the interface is described (rel="service-desc").',
    schema: {},
  },
  ETag: { exposed: true, description: 'Strong entity tag of the document.', schema: {} },
  'Last-Modified': { description: 'When the document was made.' },
  Vary: { list: true, description: 'The request headers that the form of a document depends on.' },
  'Content-Encoding': { description: 'The coding of a compressed document.' },
  'Content-Disposition': { description: 'The file name of the sales, on the admin port.' },
  Location: { description: 'Where a moved page is.' },
  'A2A-Extensions': { exposed: true, list: true, description: 'The A2A extensions that were activated.' },
  'X-A2A-Extensions': { exposed: true, list: true, description: 'The same for A2A 0.3.' },
  'X-Sandbox': { exposed: true, description: '"true" where no real money is involved.' },
  'Format-Checker-Forwarded': { description: 'How many addresses X-Forwarded-For held, for `doctor`.' },
  'X-Content-Type-Options': { description: 'Forbids sniffing.' },
  'Strict-Transport-Security': { description: 'https only, where the public address is https.' },
  'Access-Control-Allow-Origin': { description: 'Any page may read the answers.' },
  'Access-Control-Expose-Headers': {
    list: true,
    description: 'The headers of this answer that pages may read.',
  },
  'Access-Control-Allow-Methods': { list: true, description: 'Of a preflight.' },
  'Access-Control-Allow-Headers': { list: true, description: 'Of a preflight.' },
  'Access-Control-Max-Age': { description: 'Of a preflight, in seconds.' },
  'Content-Security-Policy': { description: 'What a page may load.' },
  'Cross-Origin-Resource-Policy': { description: 'Whether pages of other origins may load this.' },
  'Cross-Origin-Opener-Policy': { description: 'That no other page shares a window with this.' },
  'WWW-Authenticate': { list: true, description: 'Asks for the token of the admin port.' },
} as const satisfies Readonly<Record<string, ResponseHeader>>

const namesWith = (trait: 'exposed' | 'list'): ReadonlySet<string> =>
  new Set(Object.entries<ResponseHeader>(RESPONSE_HEADERS).flatMap(([name, of]) => (of[trait] ? [name] : [])))

export const LIST_HEADERS = namesWith('list')
export const EXPOSED_HEADERS = namesWith('exposed')
